#!/usr/bin/env node
/**
 * The command `dsh-subagent-cursor`: its arguments, its output streams, its signals and its exit
 * code (0 every check passed, 1 one failed, 2 wrong usage, 128 + n for a signal). What is checked
 * belongs to `diagnose.ts`, how it looks to `report-text.ts`.
 */

import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { styleText } from 'node:util'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { MAX_TIMER_DELAY_MS } from '../cursor/options.ts'
import { Masker } from '../cursor/masking.ts'
import { thisSystem, type System } from '../cursor/system.ts'
import type { Language, Words } from '../words.ts'
import { COMMAND_LIMIT_MS, diagnose, PROBE_LIMIT_MS } from './diagnose.ts'
import { filled } from './fill-sentence.ts'
import { languageOf } from './language.ts'
import { PACKAGE_NAME, packageVersion } from './own-package.ts'
import { profileAt, readProfile } from './read-profile.ts'
import { Progress } from './progress.ts'
import type { Recording } from './recording.ts'
import { jsonReport } from './report.ts'
import { localProcesses } from './local-processes.ts'
import { reportText, type TextStyle } from './report-text.ts'

const EXIT = { passed: 0, failed: 1, usage: 2 } as const

/** Columns of a file or a pipe, where nothing says how wide the reader's window is. */
const STANDARD_COLUMNS = 100
const LEAST_COLUMNS = 20

interface DoctorFlags {
  readonly profile?: string
  readonly probe?: true
  readonly models?: true
  /** A file to write. */
  readonly record?: string
  readonly json?: true
  readonly verbose?: true
  readonly lang: Language
  /** ms */
  readonly limit?: number
}

const HELP = {
  program: {
    en: "Looks after this machine's side of the DSH plugin for the Cursor CLI.",
    zh: '检查本机能否使用 DSH 的 Cursor CLI 插件。',
  },
  doctor: {
    en: 'Checks whether delegations to the Cursor CLI can work on this machine.',
    zh: '检查本机能否把任务委派给 Cursor CLI。',
  },
  profile: {
    en: 'check the rows of a DSH profile in $DSH_HOME/profiles',
    zh: '检查 $DSH_HOME/profiles 中某个 DSH profile 的条目',
  },
  probe: {
    en: 'make one small run per row: the only proof, at a small cost',
    zh: '每个条目试运行一次，只有这样才能证明可用；消耗少量额度',
  },
  record: {
    en: 'with --probe: write what the CLI printed as a case, without content, for a report',
    zh: '与 --probe 同用：把 CLI 的输出存成用例（不含提示词、回答和文件内容），便于反馈问题',
  },
  recorded: {
    en: 'What the CLI printed is in {file}, without content: look at it before you pass it on.',
    zh: 'CLI 的输出（不含提示词、回答和文件内容）已写入 {file}，发给别人之前请先看一遍。',
  },
  models: { en: 'list the models of the account', zh: '列出账号可用的模型' },
  json: { en: 'print one JSON object instead of text', zh: '输出一个 JSON 对象，不输出文本' },
  verbose: { en: 'say all that was found', zh: '显示全部细节' },
  lang: {
    en: "language of the text, en or zh (default: the system's)",
    zh: '输出文字的语言，en 或 zh（默认与系统相同）',
  },
  limit: {
    en: `limit of each check (default: ${COMMAND_LIMIT_MS / 1000}, the test run ${PROBE_LIMIT_MS / 1000})`,
    zh: `每项检查的时限（默认 ${COMMAND_LIMIT_MS / 1000} 秒，试运行 ${PROBE_LIMIT_MS / 1000} 秒）`,
  },
  help: { en: 'show this help', zh: '显示这份帮助' },
  version: { en: 'show the version', zh: '显示版本号' },
} as const satisfies Record<string, Words>

/** The headings that commander gives, without which a Chinese help would be half English. */
const CHINESE_HEADINGS: Readonly<Record<string, string>> = {
  'Usage:': '用法：',
  'Options:': '选项：',
  'Commands:': '命令：',
}

async function main(argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.passed
  const locale = Intl.DateTimeFormat().resolvedOptions().locale
  const system = languageOf(process.platform, process.env, locale)
  // The help is printed before the options are known.
  const asked = argv.findLast((_, at) => argv[at - 1] === '--lang')
  const language = asked === 'en' || asked === 'zh' ? asked : system
  const program = new Command(PACKAGE_NAME)
    .description(HELP.program[language])
    .version(packageVersion(), '-v, --version', HELP.version[language])
    .helpOption('-h, --help', HELP.help[language])
    .helpCommand('help [command]', HELP.help[language])
    .configureHelp({
      styleTitle: (title) => (language === 'zh' ? (CHINESE_HEADINGS[title] ?? title) : title),
      // Without the English that commander adds on choices and defaults.
      optionDescription: ({ description }) => description,
    })
    .exitOverride()
    .showHelpAfterError()
  program
    .command('doctor')
    .description(HELP.doctor[language])
    .option('--profile <name>', HELP.profile[language])
    .option('--probe', HELP.probe[language])
    .option('--record <file>', HELP.record[language], writable)
    .option('--models', HELP.models[language])
    .option('--json', HELP.json[language])
    .option('--verbose', HELP.verbose[language])
    .addOption(
      new Option('--lang <language>', HELP.lang[language]).choices(['en', 'zh']).default(language),
    )
    .option('--limit <seconds>', HELP.limit[language], milliseconds)
    .action(async (flags: DoctorFlags) => {
      exitCode = await doctor(flags)
    })
  if (argv.length === 0) program.error('error: a command is missing')
  await program.parseAsync(argv, { from: 'user' })
  return exitCode
}

function milliseconds(seconds: string): number {
  const ms = Number(seconds) * 1000
  if (seconds.trim() !== '' && ms > 0 && ms <= MAX_TIMER_DELAY_MS) return ms
  throw new InvalidArgumentError('It must be a number of seconds above 0.')
}

/** Before the run that it is about, since that one costs quota. */
function writable(file: string): string {
  try {
    writeFileSync(file, '')
    return file
  } catch (error) {
    throw new InvalidArgumentError(
      `It cannot be written: ${(error as NodeJS.ErrnoException).code}.`,
    )
  }
}

async function doctor(flags: DoctorFlags): Promise<number> {
  const system = thisSystem()
  const name = flags.profile ?? profileAt(system, process.cwd())
  const profile = name === undefined ? undefined : readProfile(system, name)
  const processes = localProcesses()
  const interruption = onInterrupt(processes.killAll)
  const recordings: Recording[] = []
  const progress = new Progress(process.stderr, process.env, flags.lang)
  try {
    const report = await diagnose({
      system,
      spawn: processes.spawn,
      profile,
      probe: flags.probe === true || flags.record !== undefined,
      listModels: flags.models === true,
      ...(flags.limit !== undefined && { limitMs: flags.limit, probeLimitMs: flags.limit }),
      signal: interruption,
      onProgress: progress.tell,
      onRecorded: flags.record === undefined ? undefined : (each) => recordings.push(each),
    })
    if (flags.record !== undefined && recordings.length > 0) {
      writeFileSync(flags.record, recordings.map((each) => `${JSON.stringify(each)}\n`).join(''))
      process.stderr.write(`${filled(HELP.recorded, { file: flags.record })[flags.lang]}\n`)
    }
    const { stdout, env } = process
    const style: TextStyle = {
      columns: Math.max(
        LEAST_COLUMNS,
        stdout.columns || Number(env['COLUMNS']) || STANDARD_COLUMNS,
      ),
      // Node knows the rest, and would let FORCE_COLOR win.
      paint: (format, text) =>
        env['NO_COLOR'] ? text : styleText(format, text, { stream: stdout }),
      language: flags.lang,
      isVerbose: flags.verbose === true || flags.models === true,
      command: commandFor(name),
    }
    stdout.write(
      flags.json === true
        ? `${JSON.stringify(jsonReport(report), undefined, 2)}\n`
        : reportText(report, style),
    )
    return report.ok ? EXIT.passed : EXIT.failed
  } catch (error) {
    progress.clear()
    if (!interruption.aborted || error !== interruption.reason) throw error
    const stoppedBy = interruption.reason as StopSignal
    process.stderr.write(`${PACKAGE_NAME}: interrupted by ${stoppedBy}\n`)
    return exitCodeOf(stoppedBy)
  }
}

/** The self-check as it can be typed here: a package in a profile is on nobody's PATH. */
function commandFor(profile: string | undefined): string {
  const bare = `${PACKAGE_NAME} doctor`
  return profile === undefined ? bare : `dsh plugin --profile ${profile} exec ${bare}`
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type StopSignal = (typeof STOP_SIGNALS)[number]

const exitCodeOf = (name: StopSignal): number => 128 + constants.signals[name]

/** The first signal ends the checks and their processes; a second one does not wait. */
function onInterrupt(killAll: () => void): AbortSignal {
  const controller = new AbortController()
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodeOf(name))
      controller.abort(name)
    })
  }
  // Whatever ends this process, its children do not outlive it.
  process.on('exit', killAll)
  return controller.signal
}

function faultText(error: unknown, { home }: System): string {
  const masker = new Masker({ environmentValues: [], prompt: '', home, cwd: '' })
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${PACKAGE_NAME}: this is a fault of the check itself; please report it.\n${masker.mask(text)}\n`
}

// A reader that has gone away (`| head`) ends the check; the exit handler ends its processes.
process.stdout.on('error', () => process.exit(EXIT.failed))

main(process.argv.slice(2))
  .catch((error: unknown) => {
    // Its message and the help are written already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage
    process.stderr.write(faultText(error, thisSystem()))
    return EXIT.failed
  })
  .then((exitCode) => {
    // Not before everything is written; and not later, should a child that cannot be killed be left.
    process.stdout.write('', () => process.exit(exitCode))
  })
