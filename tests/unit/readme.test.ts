// The documents against the code and against each other: the tables are the code's, both languages
// say the same, and every file, link, command and example that they name holds.
// That the instructions work is tests/host/readme.test.ts's.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse as parseYaml } from 'yaml'
import { DOCUMENTS, languageOf, textOf, withTables } from '../../scripts/docs.ts'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { START_RACES } from '../../src/cursor/failures.ts'
import { PERMISSION_MODE_NAMES, PERMISSION_MODES } from '../../src/cursor/permission-modes.ts'
import { examplesIn, uncommented, withoutRemarks } from '../support/documents.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ALL = [...DOCUMENTS, 'CONTRIBUTING.md', 'SECURITY.md']

interface Manifest {
  readonly version: string
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}
const manifest = JSON.parse(textOf('package.json')) as Manifest

/** The text that people write: without the tables of the code. */
const byHand = (document: string): string =>
  textOf(document).replaceAll(/<!-- ([\w-]+) -->[^]*?<!-- \/\1 -->/g, '')

const prose = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '')

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([all, group]) => group ?? all)

/** What is the same in both languages, in order. */
function shapeOf(document: string): unknown {
  const text = byHand(document)
  return {
    headings: matches(text, /^#+(?= )/gm),
    rows: matches(prose(text), /^\|.*\|$/gm).map((row) => row.split(/(?<!\\)\|/).length),
    entries: matches(prose(text), /^(?:-|\d+\.) /gm).length,
    // A remark in an example is in the reader's language.
    code: matches(text, /^```[^]*?^```$/gm).map(withoutRemarks),
    // A single digit may be a word in one of the languages.
    figures: prose(text)
      .split(/^#+ .+$/m)
      .map((part) => matches(part, /\d[\d,.]*\d/g).toSorted()),
  }
}

const anchorsOf = (document: string): string[] =>
  matches(textOf(document), /^#+ (.+)$/gm).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )

/** Lines that a reader may copy into a terminal. */
const commandsOf = (text: string): string[] => [
  ...matches(text, /^```(?:sh|powershell|text)\n([^]*?)^```$/gm).flatMap((block) =>
    block.split('\n'),
  ),
  ...matches(prose(text), /`([^`\n]+)`/g),
]

describe('both languages say the same', () => {
  for (const document of DOCUMENTS.filter((name) => languageOf(name) === 'en')) {
    const other = [document.replace('.en.md', '.md'), document.replace('.en.md', '.zh.md')]
    test(document, () => {
      const chinese = other.find((name) => DOCUMENTS.includes(name))
      assert.ok(chinese, `${document} is there in English alone`)
      assert.deepEqual(shapeOf(chinese), shapeOf(document))
    })
  }
})

for (const document of ALL) {
  describe(document, () => {
    const text = textOf(document)

    test('every table of the code is as the code has it (node scripts/docs.ts writes them)', () => {
      assert.equal(withTables(text, languageOf(document)), text)
    })

    test('every link leads to a file or a section', () => {
      for (const link of matches(prose(text), /\]\(([^)\s]+)\)/g)) {
        if (link.startsWith('https:')) continue
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? document : normalize(join(dirname(document), path))
        assert.ok(existsSync(join(ROOT, target)), `there is no file ${target}`)
        if (anchor !== undefined) {
          assert.ok(anchorsOf(target).includes(decodeURI(anchor)), `there is no section ${link}`)
        }
      }
    })

    test('every script and file that it names is there', () => {
      for (const command of commandsOf(text)) {
        const [, script] = /^npm (?:run )?([\w:]+)/.exec(command) ?? []
        // npm's own, and an example of what an agent leaves running.
        if (script !== undefined && !['install', 'publish', 'dev', 'version'].includes(script)) {
          assert.ok(Object.hasOwn(manifest.scripts, script), `there is no script ${script}`)
        }
        const paths = /(?:^|[\s(])((?:src|tests|demo|bench|scripts|locale|docs|\.ci)\/[\w./-]*\w)/g
        for (const path of matches(command, paths)) {
          // Examples of a user's own files.
          if (/^src\/(?:queue|lexer)\.ts$/.test(path)) continue
          assert.ok(existsSync(join(ROOT, path)), `there is no ${path}`)
        }
      }
    })

    test('every example of a configuration is one that the plugin accepts', () => {
      for (const example of examplesIn(text).flatMap((each) => [each, uncommented(each)])) {
        // The host evaluates expressions; what they give is a string.
        const rows = parseYaml(example.replaceAll(/!!js .+/g, 'text')) as {
          id?: string
          config?: Config
          insert?: { config?: Config }[]
        }[]
        for (const { config } of rows.flatMap((row) => row.insert ?? [row])) {
          resolveConfig(config ?? {})
        }
      }
    })

    test('no path of a machine and no registry is in it', () => {
      assert.doesNotMatch(text, /\/(?:work|tmp|root|home\/(?!linuxbrew)\w+)\/|registry\.\w+\.\w+/)
    })
  })
}

test('every option of doctor that a document names is one', () => {
  const program = join(ROOT, 'src', 'doctor', 'main.ts')
  const help = spawnSync(process.execPath, [program, 'doctor', '--help'], { encoding: 'utf8' })
  const offered = new Set(matches(help.stdout, /^ {2}(?:-\w, )?(--[\w-]+)/gm))
  for (const line of ALL.flatMap((document) => commandsOf(textOf(document)))) {
    const used = / doctor(?: .*)? (--[\w-]+)/.exec(` ${line}`)?.[1]
    if (used !== undefined) assert.ok(offered.has(used), line)
  }
  assert.ok(offered.has('--probe'))
})

test('a README is short enough to be read, and what it leads to is in the package', () => {
  for (const document of ['README.md', 'README.en.md']) {
    const lines = textOf(document).split('\n').length
    assert.ok(lines <= 210, `${document} has ${lines} lines`)
    for (const link of matches(textOf(document), /\]\(([\w./-]+)/g)) {
      const packed = ['README.md', 'LICENSE', ...manifest.files]
      assert.ok(
        packed.some((entry) => link === entry || link.startsWith(`${entry}/`)),
        `${link} is not in the package`,
      )
    }
  }
})

test('the newest entry of the changelog is the version of the package', () => {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const [, version, date = ''] = /^## \[(\d.+?)\] - (\S+)$/m.exec(changelog) ?? []
  assert.equal(version, manifest.version)
  assert.match(date, /^\d{4}-\d{2}-\d{2}$/)
})

test('the documents name the failures that are races, and no other', () => {
  const races = [...START_RACES].map((category) => `\`${category}\``)
  assert.ok(
    textOf('docs/failures.en.md').includes(`start at the same time: ${races.join(' and ')}.`),
  )
  assert.ok(textOf('docs/failures.zh.md').includes(`\n${races.join(' 和 ')} 常常是`))
})

test('the documents name every read-only mode where they say that it is no sandbox', () => {
  const names = PERMISSION_MODE_NAMES.filter((name) => !PERMISSION_MODES[name].writes)
  for (const document of ['README.md', 'README.en.md', 'SECURITY.md']) {
    const said = textOf(document)
      .split('\n')
      .find((line) => /^- `plan`|are no sandbox/.test(line))
    for (const name of names) assert.ok(said?.includes(`\`${name}\``), `${document}: ${name}`)
  }
})
