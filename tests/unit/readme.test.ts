// The documents against the code: what a README says that the code also knows must be the same, both
// READMEs must say the same, and every file, link and command that they name must be there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse as parseYaml } from 'yaml'
import {
  LINUX_ARGUMENT_BYTES,
  MACOS_LINE_BYTES,
  WINDOWS_LINE_UNITS,
} from '../../src/cursor/command-line.ts'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { FIELD_NAMES } from '../../src/config/fields.ts'
import { MAX_TIMER_DELAY_MS } from '../../src/cursor/options.ts'
import { MAX_DIAGNOSTIC_BYTES } from '../../src/cursor/diagnostic.ts'
import { CATEGORIES } from '../../src/cursor/categories.ts'
import { PERMISSION_MODES } from '../../src/cursor/permission-modes.ts'
import { RunRegistry } from '../../src/dsh/runs.ts'
import { toolContract } from '../../src/dsh/tool.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface CodeBlock {
  readonly language: string
  readonly text: string
}

interface Section {
  readonly level: number
  readonly title: string
  /** Cells of each table row, without the heads and their rules. */
  readonly rows: readonly (readonly string[])[]
  readonly tables: number
  /** List entries at any depth. */
  readonly items: number
  readonly code: readonly CodeBlock[]
}

interface Document {
  readonly file: string
  readonly text: string
  /** Without code blocks. */
  readonly prose: string
  readonly frontMatter: Record<string, unknown>
  readonly sections: readonly Section[]
}

interface OpenSection extends Section {
  readonly rows: string[][]
  readonly code: CodeBlock[]
  tables: number
  items: number
}

/** Pipes inside code spans are not cell borders; the READMEs escape none. */
function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((cell) => cell.trim())
}

function readDocument(file: string): Document {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const [, yaml = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? []
  const sections: OpenSection[] = []
  const prose: string[] = []
  let fence: { indent: string; language: string; lines: string[] } | undefined
  let columns = 0
  for (const line of body.split('\n')) {
    const [, indent, language] = /^(\s*)```(\w*)$/.exec(line) ?? []
    if (indent !== undefined && language !== undefined) {
      if (fence === undefined) fence = { indent, language, lines: [] }
      else {
        const { language: of, lines } = fence
        sections.at(-1)?.code.push({ language: of, text: lines.join('\n') })
        fence = undefined
      }
      continue
    }
    if (fence !== undefined) {
      fence.lines.push(line.slice(fence.indent.length))
      continue
    }
    prose.push(line)
    const [, hashes, title] = /^(#+) (.+)$/.exec(line) ?? []
    if (hashes !== undefined && title !== undefined) {
      const level = hashes.length
      sections.push({ level, title, rows: [], tables: 0, items: 0, code: [] })
    }
    const current = sections.at(-1)
    if (current === undefined) continue
    if (/^\s*(?:-|\d+\.) /.test(line)) current.items++
    if (!line.startsWith('|')) {
      columns = 0
      continue
    }
    assert.ok(line.endsWith('|'), `${file}: a table row without an end: ${line}`)
    const cells = cellsOf(line)
    if (columns === 0) {
      columns = cells.length
      current.tables++
      // The head goes with the rule below it.
      current.rows.push(cells)
      continue
    }
    assert.equal(cells.length, columns, `${file}: a row of another width: ${line}`)
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) current.rows.pop()
    else current.rows.push(cells)
  }
  assert.equal(fence, undefined, `${file}: a code block that does not end`)
  return {
    file,
    text,
    prose: prose.join('\n'),
    frontMatter: parseYaml(yaml) as Record<string, unknown>,
    sections,
  }
}

const zh = readDocument('README.md')
const en = readDocument('README.en.md')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
  bin: Record<string, string>
  scripts: Record<string, string>
}

/** The words of each language that the checks below need. */
const WORDS = {
  'README.md': {
    fields: '字段',
    modes: '权限模式',
    troubleshooting: '故障排查',
    tool: '模型看到的工具',
    doctor: 'doctor 自检',
    omitted: '省略',
  },
  'README.en.md': {
    fields: 'Fields',
    modes: 'Permission modes',
    troubleshooting: 'Troubleshooting',
    tool: 'The tool, as the model sees it',
    doctor: 'Doctor',
    omitted: 'omitted',
  },
} as const

function section({ file, sections }: Document, title: string): Section {
  const found = sections.find((candidate) => candidate.title === title)
  assert.ok(found, `${file} has no section ${title}`)
  return found
}

/** `` `x` `` → `x` */
function code(cell: string | undefined): string {
  return /^`([^`]+)`/.exec(cell ?? '')?.[1] ?? ''
}

/** Every code span of the prose. */
function codeSpans({ prose }: Document): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
}

/** Lines that a reader may copy into a terminal. */
function commandsOf(document: Document): string[] {
  const blocks = document.sections
    .flatMap((each) => each.code)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
  return [...blocks, ...codeSpans(document)]
}

/** GitHub's anchor of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function normalised(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

test('both READMEs have the same sections, tables, lists and code', () => {
  const shapeOf = ({ sections }: Document): unknown =>
    sections.map(({ rows, title: _title, ...shape }) => ({
      ...shape,
      widths: rows.map((cells) => cells.length),
    }))
  assert.deepEqual(
    zh.sections.map(({ level }) => level),
    en.sections.map(({ level }) => level),
  )
  assert.deepEqual(shapeOf(zh), shapeOf(en))
})

test('both READMEs give the same figures in each section', () => {
  // A single digit may be a word in one of the languages ("none", "February").
  const figuresOf = ({ prose }: Document): string[][] =>
    prose
      .split(/^#+ .+$/m)
      .map((part) => [...part.matchAll(/\d[\d,.]*\d/g)].map(([figure]) => figure).toSorted())
  assert.deepEqual(figuresOf(zh), figuresOf(en))
})

for (const document of [zh, en]) {
  const words = WORDS[document.file as keyof typeof WORDS]

  describe(document.file, () => {
    test("opens with the host's document front matter and the two commands", () => {
      assert.equal(document.frontMatter['kind'], 'package-bundle')
      assert.match(String(document.frontMatter['description']), /cursor-agent/)
      assert.deepEqual(document.sections[0]?.code, [
        { language: 'sh', text: 'npm run demo\nnpm test' },
      ])
    })

    test('the table of fields is the schema: names, order and defaults', () => {
      const defaults = resolveConfig({})
      const expected = FIELD_NAMES.map((name) => {
        const value = defaults[name]
        if (value === undefined) return [name, words.omitted]
        return [name, `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``]
      })
      const { rows } = section(document, words.fields)
      assert.deepEqual(
        rows.map(([name, value]) => [code(name), value]),
        expected,
      )
      for (const [name, , meaning] of rows) assert.ok(meaning, `${name} has no meaning`)
    })

    test('the table of modes is that of the code', () => {
      const { rows } = section(document, words.modes)
      const modes = Object.entries(PERMISSION_MODES)
      assert.deepEqual(
        rows.slice(0, modes.length).map(([name, flags]) => [code(name), code(flags)]),
        // Without flags of its own the cell explains `--trust`, which every mode has.
        modes.map(([name, { args }]) => [name, args.join(' ')]),
      )
    })

    test('every failure category has an entry, and there is no other', () => {
      const { rows } = section(document, words.troubleshooting)
      assert.deepEqual(
        rows.map(([category]) => code(category)).toSorted(),
        Object.keys(CATEGORIES).toSorted(),
      )
      for (const cells of rows) assert.ok(cells.every(Boolean), `an empty cell: ${cells.join('|')}`)
      assert.match(document.text, new RegExp(`\\b${rows.length} (?:categories|个类别)`))
    })

    test("the tool's description is quoted as the model gets it", () => {
      const config = resolveConfig({})
      const { description } = toolContract(config, {
        settings: () => config,
        runs: new RunRegistry(),
      })
      const [quoted] = section(document, words.tool).code
      assert.equal(normalised(quoted?.text ?? ''), normalised(description))
    })

    test('every limit is that of the code', () => {
      const limits = [
        LINUX_ARGUMENT_BYTES,
        WINDOWS_LINE_UNITS,
        MACOS_LINE_BYTES,
        MAX_TIMER_DELAY_MS,
      ]
      for (const limit of limits) {
        const figure = limit.toLocaleString('en')
        assert.ok(document.prose.includes(figure), `${figure} is not there`)
      }
      assert.match(document.prose, new RegExp(`\\b${MAX_DIAGNOSTIC_BYTES}\\b`))
    })

    test('every example of a configuration is one that the plugin accepts', () => {
      const rowsOf = (entry: Record<string, unknown>): Record<string, unknown>[] =>
        Array.isArray(entry['insert']) ? (entry['insert'] as Record<string, unknown>[]) : [entry]
      const examples = document.sections
        .flatMap((each) => each.code)
        .filter(({ language, text }) => language === 'yaml' && text.includes('config:'))
        .flatMap(({ text }) =>
          // The host evaluates these; what they give is a string.
          (parseYaml(text.replaceAll(/!!js .+/g, 'text')) as Record<string, unknown>[]).flatMap(
            rowsOf,
          ),
        )
      assert.ok(examples.length >= 4)
      for (const { config } of examples) resolveConfig(config as Config)
    })

    test('every script that it names is in package.json', () => {
      // What npm and pnpm do by themselves.
      const own = new Set(['install', 'pack', 'exec', 'add', 'remove'])
      const named = commandsOf(document).flatMap((line) => {
        // A command that goes to the background is an example of what an agent starts.
        if (line.endsWith('&')) return []
        const [, script] = /^(?:npm run|pnpm run|npm|pnpm) ([\w:]+)/.exec(line) ?? []
        return script === undefined || own.has(script) ? [] : [script]
      })
      assert.ok(named.includes('demo') && named.includes('test') && named.includes('bench'))
      for (const script of named) {
        assert.ok(Object.hasOwn(manifest.scripts, script), `there is no script ${script}`)
      }
    })

    test('every file that it names is there', () => {
      const named = commandsOf(document).flatMap((text) =>
        [...text.matchAll(/(?:^|\s)((?:src|tests|demo|bench|scripts|locale)\/[\w./-]*)/g)].map(
          ([, path = '']) => path,
        ),
      )
      assert.ok(named.length > 20)
      for (const path of named) assert.ok(existsSync(join(ROOT, path)), `there is no ${path}`)
      for (const script of Object.values(manifest.scripts)) {
        const [, path] = /^node (\S+\.ts)/.exec(script) ?? []
        if (path !== undefined) assert.ok(existsSync(join(ROOT, path)), `there is no ${path}`)
      }
    })

    test('every link leads to a file or a section', () => {
      const anchors = new Set(document.sections.map(({ title }) => anchorOf(title)))
      const targets = [...document.prose.matchAll(/\]\(([^)\s]+)\)/g)].map(
        ([, target = '']) => target,
      )
      assert.ok(targets.length > 8)
      for (const target of targets) {
        if (target.startsWith('https:')) continue
        if (target.startsWith('#')) {
          assert.ok(anchors.has(decodeURI(target.slice(1))), `there is no section ${target}`)
        } else assert.ok(existsSync(join(ROOT, target)), `there is no file ${target}`)
      }
    })

    test('the options of doctor are those of the command', () => {
      const program = join(ROOT, 'src', 'doctor', 'main.ts')
      const help = spawnSync(process.execPath, [program, 'doctor', '--help'], { encoding: 'utf8' })
      assert.equal(help.status, 0, help.stderr)
      const offered = [...help.stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
        .map(([, option = '']) => option)
        .filter((option) => option !== '--help')
      const { rows } = section(document, words.doctor)
      const told = rows.flatMap(([cell]) => /^`(--[\w-]+)/.exec(cell ?? '')?.[1] ?? [])
      assert.deepEqual(told.toSorted(), offered.toSorted())
      for (const line of commandsOf(document).filter((text) => /\bdoctor --/.test(text))) {
        const used = /\bdoctor (--[\w-]+)/.exec(line)?.[1] ?? ''
        assert.ok(offered.includes(used), line)
      }
    })

    test('no path of a machine and no registry is in it', () => {
      assert.doesNotMatch(document.text, /\/(?:work|tmp|root|home\/\w+)\//)
      assert.doesNotMatch(document.text, /registry\.\w+\.\w+/)
    })
  })
}

test('the newest entry of the changelog is the version of the package', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const [, version, date = ''] = /^## \[(.+?)\] - (\S+)$/m.exec(changelog) ?? []
  assert.equal(version, manifest.version)
  assert.match(date, /^\d{4}-\d{2}-\d{2}$/)
  assert.match(changelog, new RegExp(`\\b${Object.keys(CATEGORIES).length} failure categories`))
})
