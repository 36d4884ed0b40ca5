/**
 * Recognises failures in the CLI's output with three tables: sentences that the CLI prints, its
 * error classes and RPC codes, and errors of the loader or the operating system. `categories.ts` has
 * the texts for the user; `outcome.ts` decides how much these findings count.
 */

import type { Words } from '../words.ts'
import { ADVICE, CATEGORIES, type AdviceName, type FailureCategory } from './failures/categories.ts'
import { parseErrorLine, type ErrorLine } from './failures/quotation.ts'

interface Row {
  readonly category: FailureCategory
  readonly patterns: readonly RegExp[]
  /** Replaces the category's next step where that is too general. */
  readonly advice?: AdviceName
  /**
   * The CLI may print this and recover, or a tool may print it. So it explains the end of a run only
   * if none of the CLI's own errors does, and the process was not killed by a signal.
   */
  readonly recoverable?: true
  /** Also matches text before the CLI's last error. */
  readonly spansLines?: true
  /** Not caused by parallel starts, though others of its category can be; never retried. */
  readonly permanent?: true
}

/** Level 1: sentences that the CLI prints. The first matching row decides. */
// prettier-ignore
const SENTENCES: readonly Row[] = [
  // Anchored to the line start, because option errors echo the prompt, which can contain anything.
  { category: 'cli-outdated', patterns: [
    /^error: (?:unknown (?:option|command)|option '|too many arg)/im] },
  { category: 'prompt-rejected', patterns: [
    /No prompt provided|missing required argument 'prompt/i] },
  { category: 'cli-outdated', patterns: [
    /Update Required/i,
    /version (?:of [\w ]{3,30} )?is (?:no longer supported|too old|outdated|not supported)/i,
    /update to the latest version/i,
    /(?:update|upgrade) (?:the |your )?(?:Cursor|CLI|client|version)\b/i] },
  { category: 'request-rejected', advice: 'fewerTools', patterns: [
    /too many (?:MCP )?tools|MCP tools are enabled|(?:maximum|limit)[\w ]{1,30} tools\b/i] },
  { category: 'request-rejected', advice: 'smallerTask', patterns: [
    /\b(?:tokens?(?! per)|context|prompt|conversation|payload|input|history)\b.{0,40}(?:too \w|exceed)/i,
    /(?:request|message|query|body|entity) (?:is |was )?too (?:long|large|big)/i,
    /too many (?:input )?tokens|(?:maximum|max) context|context (?:window|length)/i] },
  { category: 'usage-limit', patterns: [
    /\b(?:usage|spend(?:ing)?|budget|requests?|API|credits?|monthly|daily|billing|hard) limits?\b/i,
    /out of (?:usage|credits|requests)/i,
    /used (?:up )?(?:all|up) .{0,30}\b(?:usage|requests|credits)|Increase limits/i,
    /usage-based pricing|(?<!disk )\bquota\b.{0,40}(?:exceed|exhaust|reached|used)/i,
    /exceeded your .{0,30}quota|insufficient (?:credits|balance|funds)/i,
    /hit your (?!rate)[\w ]{0,30}limit/i] },
  { category: 'plan-limit', patterns: [
    /Named models unavailable|Free (?:plan|user|tier)s? can|Model unavailable on/i,
    /(?:included|available|part|allowed) (?:in|on|of|by|with) (?:your|this)(?: \w+)? plan\b/i,
    /your (?:\w+ )?plan (?:does|cannot)|upgrade (?:plans?\b|your (?:\w+ )?plan)/i,
    /upgrade to (?:an? |Cursor )?(?:Pro|Teams?|Ultra|Business|paid)\b/i,
    /requires? (?:an? )?(?:paid|Pro|Business|Teams?|Ultra|active|\w+ plan|\w+ subscription)\b/i,
    /(?:subscription|paid plan) (?:is )?required|trial (?:has )?(?:ended|expired)/i] },
  { category: 'action-required', patterns: [
    /must (?:acknowledge|accept|agree)|unpaid/i,
    /payments? (?:method|info|details|failed|is |was |required)|past due|card .{0,20}declined/i,
    /data (?:retention )?policy|Cursor is not available in|Check your settings/i,
    /verify your (?:account|email|identity|phone)/i,
    /terms of (?:service|use)|accept the .{0,30}terms|privacy mode|suspicious activity/i,
    /account (?:is|has been|was) (?:suspended|disabled|locked|blocked|banned|deactivated)/i,
    /too many computers/i] },
  { category: 'admin-policy', patterns: [
    /Model Blocked|admin\w*(?:'s)? (?:has|have) (?:disabled|blocked|not|restricted)/i,
    /(?:disabled|blocked|enabled|allowed|permitted) (?:by|for|in) (?:your|the) (?:team|org|admin)/i,
    /\b(?:team|org\w+|admin\w*|enterprise|company)(?:'s)? polic(?:y|ies)\b/i,
    /(?:your|the) (?:team|org\w+|company)\b.{0,40} (?:disabled|blocked|not (?:allow|enabled))/i,
    /contact your (?:team |org\w* )?admin/i] },
  { category: 'invalid-model', patterns: [/Cannot use this model:/i] },
  { category: 'invalid-model', advice: 'otherModel', patterns: [
    /\b(?:unknown|invalid|unsupported|no such) model\b/i,
    /\bmodel\b.{0,60}\b(?:does(?:n't| not) (?:exist|serve)|(?:deprecated|retired|removed)\b)/i,
    /\bmodel\b.{0,60}\bnot (?:found|available|supported|valid)(?!.{0,40}(?:now|moment|demand))/i] },
  { category: 'workspace-not-trusted', patterns: [
    /Workspace Trust|trust the (?:contents|files|authors)/i,
    /(?:workspace|directory|folder) is (?:not trusted|untrusted)/i,
    /untrusted (?:workspace|directory|folder)/i] },
  { category: 'sandbox-unavailable', patterns: [
    /Sandbox mode is enabled but|Sandbox (?:requires|failed|could not|cannot)/i,
    /sandbox\w*\b.{0,60}(?:not available|unavailable|(?:not |un)supported)|\bcursorsandbox\b/i,
    /\bbwrap: /i] },
  { category: 'credential-store', advice: 'keychainLocked', permanent: true, patterns: [
    /keychain is locked|unlock-keychain|InteractionNotAllowed|User interaction is not allowed/i] },
  { category: 'credential-store', patterns: [
    /Password not found for account|Security (?:command failed|process exited)/i,
    /security exit code|SecItem\w+ failed|\berrSec\w+|(?:macOS|login|system) keychain/i,
    /keychain (?:item|access|error)|in the keychain|SecKeychain|generic-password|Secret Service|D-Bus/i,
    /freedesktop\.secrets|credential (?:store|manager)/i,
    /\bE[A-Z]{3,12}\b.{0,200}[/\\]auth\.json/i] },
  // Needs an error about the file or its directory, because other messages mention them too.
  { category: 'cli-config', patterns: [
    /\bE[A-Z]{3,12}\b.{0,300}cli-config\.json/,
    /\b(?:E(?:ACCES|PERM|ROFS|NOSPC|DQUOT|BUSY)\b|mkdir ).{0,300}[/\\]\.(?:config[/\\])?cursor[/\\'"]/,
    /cli-config\.json.{0,300}\b(?:E[A-Z]{3,12}\b|invalid|corrupt|parse)/,
    /(?:invalid|corrupt|parse).{0,60}cli-config\.json/] },
  { category: 'broken-install', advice: 'nodeOptions', patterns: [
    /is not allowed in NODE_OPTIONS/] },
  { category: 'network', advice: 'proxy', patterns: [
    /Failed to reach the Cursor API|proxy CONNECT|connection to prox|\b407 Proxy/i,
    /proxy (?:authentication|refused|responded|error)/i] },
  { category: 'not-authenticated', advice: 'keyRejected', patterns: [
    /invalid (?:API|user|CURSOR_API)[ _]?key/i,
    /API[ _]key (?:is|was|has been) (?:invalid|not valid|rejected|revoked|expired|disabled)/i,
    /Backend rejected authentication/i] },
  { category: 'not-authenticated', patterns: [
    /Authentication (?:required|failed|expired)|\bnot (?:currently )?(?:logged|signed) in\b/i,
    /not authenticated|(?:please|to|must) (?:log|sign) ?in\b/i,
    /(?:log|sign) in (?:again|first|to continue)/i,
    /(?:session|login|token|credentials?) (?:has |have |is )?expired/i,
    /been (?:logged|signed) out|browser for login/i] },
  { category: 'server-error', patterns: [
    /Provider Error|connecting to the model provider/i,
    /provider (?:returned|is (?:down|unavailable))/i] },
  // After a lost connection, the retriable error that follows has the same cause, whatever it says.
  { category: 'network', spansLines: true, patterns: [
    /Connection lost, reconnecting[^]*^(?:Error: )?(?:RetriableError|ConnectError|[A-Za-z]{1,2}): /m] },
  { category: 'network', patterns: [
    /(?:Writ|Read)ableIterable is closed|Connection (?:failed|stalled|closed|reset|aborted)/i,
    /without turnEnded|EndStreamResponse|dropped mid-stream|\bprotocol error/i] },
  { category: 'killed', patterns: [
    /^(?:Aborting operation|Operation (?:was )?cancell?ed|Interrupted\b)/im] },
  { category: 'network', recoverable: true, patterns: [
    /network socket disconnected|\bping\b.{0,20} timed out/i,
    /HTTP\/2 (?:stream|session|connection)|Session closed with|Premature close/i,
    /stream (?:was )?(?:reset|closed)|socket hang up/i,
    /\b(?:ECONN[A-Z]{4,8}|ETIMEDOUT|ENOTFOUND|EAI_[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+)\b/i,
    /\b(?:ESERVFAIL|ENODATA|EPROTO|EPIPE)\b/i,
    /self[- ]signed certificate|unable to (?:get|verify) .{0,40}certificate/i,
    /certificate (?:has expired|is not yet valid)|does not match certificate/i,
    /\bUNABLE_TO_(?:GET|VERIFY)_\w|SELF_SIGNED_CERT/i,
    /\bCERT_(?:HAS|NOT|UNTRUSTED|REVOKED|REJECTED|SIGNATURE|CHAIN)/i,
    /ERR_(?:TLS|SSL|HTTP2|STREAM)_|SSL routines|fetch failed|NGHTTP2_|UND_ERR_/i,
    /(?:connect|request|read|handshake|connection|operation) tim(?:ed out|eout)/i,
    /Connection lost|network (?:error|is unreachable|connection)|<!DOCTYPE/i,
    /Unexpected token '?</i] },
  { category: 'rate-limited', recoverable: true, patterns: [
    /\brate[- ]limit|too many requests|high (?:demand|load)|overloaded|at capacity/i,
    /your capacity|slow down|\bHTTP 429|status(?: code)? 429/i] },
  { category: 'server-error', recoverable: true, patterns: [
    /exceeded max retries|internal (?:server )?error|(?:Service|temporarily) Unavailable/i,
    /Bad Gateway|\bHTTP(?: status)? 5\d\d\b|status(?: code)? 5\d\d\b/i,
    /communicating with the server|session services|something went wrong/i] },
  { category: 'not-authenticated', recoverable: true, patterns: [
    /\bUnauthorized\b|\bHTTP 401|status(?: code)? 401/i] },
  { category: 'cli-config', recoverable: true, patterns: [
    /\bJSON\b.{0,80}(?:input|position|string)|is not valid JSON|SyntaxError: .{0,200}\bJSON\b/] },
  { category: 'action-required', recoverable: true, patterns: [
    /^(?!.{0,20}press).{3,250}\bto continue\b/im] },
]

interface ErrorRow {
  readonly category: FailureCategory
  /** RPC codes in lower case, without underscores. */
  readonly codes?: readonly string[]
  /** Error classes; used only if the error has no code. */
  readonly classes?: readonly string[]
  readonly recoverable?: true
}

/** Level 2: the CLI's own error, by its RPC code or else by its class. */
// prettier-ignore
const ERRORS: readonly ErrorRow[] = [
  { category: 'network', codes: ['unavailable', 'deadlineexceeded', 'aborted', 'canceled', 'cancelled'], recoverable: true },
  { category: 'not-authenticated', codes: ['unauthenticated'] },
  { category: 'action-required', codes: ['permissiondenied', 'failedprecondition'] },
  { category: 'rate-limited', codes: ['resourceexhausted'] },
  { category: 'request-rejected', codes: ['invalidargument', 'outofrange', 'notfound', 'alreadyexists'] },
  { category: 'server-error', codes: ['internal', 'unknown', 'dataloss'] },
  { category: 'cli-outdated', codes: ['unimplemented'] },
  { category: 'action-required', classes: ['ActionRequiredError'] },
  { category: 'request-rejected', classes: ['NonRetriableError'] },
  { category: 'server-error', classes: ['RetriableError'] },
  { category: 'killed', classes: ['CancelledError', 'CanceledError'] },
  { category: 'network', classes: ['ConnectError'] },
]

/** Level 3: what the loader or the operating system prints when a program cannot run. */
// prettier-ignore
const SHAPES: readonly Row[] = [
  { category: 'broken-install', advice: 'applicationControl', patterns: [
    /Application Control|应用程序控制策略|blocked by (?:group policy|your (?:administrator|organization))/i,
    /AppLocker|0xc0e90002/i] },
  { category: 'broken-install', advice: 'quarantine', patterns: [
    /disallowed by system policy|code signature|not valid for use in process/i,
    /library validation|cannot be opened because/i] },
  { category: 'broken-install', advice: 'wrongMachine', patterns: [
    /Exec format error|Bad CPU type|wrong ELF class|invalid ELF header/i,
    /incompatible architecture|not a valid Win32 application|不是有效的 Win32/i,
    /not compatible with the version of Windows|mach-o, but wrong|wrong architecture/i,
    /cannot execute binary file|可执行文件格式错误|Illegal instruction|system cannot execute/i] },
  { category: 'broken-install', advice: 'systemLibraries', patterns: [
    /`?(?:GLIBC|GLIBCXX|CXXABI)\w*[\d.]*' not found|loading shared librar|shared object file/i,
    /required file not found|Error relocating|symbol not found|undefined symbol/i,
    /Library not loaded|dyld\[|dynamically linked executable|ld-(?:linux|musl)/i,
    /bad interpreter|specified module could not be found|找不到指定的模块|\b0xc000(?:0135|007b|0142)\b/i,
    /\.dll\b.{0,40}(?:missing|not found)/i] },
  { category: 'broken-install', patterns: [
    /^(?:Uncaught )?(?:Error: |Error \[\w+\]: )?Cannot find (?:module|package)/m,
    /node: bad option/m,
    /ERR_(?:MODULE_NOT_FOUND|DLOPEN_FAILED|UNKNOWN_FILE_EXTENSION|REQUIRE_ESM)/m,
    /native (?:binding|module|addon)|NODE_MODULE_VERSION|different Node\.js version/m,
    /ChunkLoadError|Loading chunk|in ES module scope/m,
    /\bE[A-Z]{3,12}\b.{0,300}[/\\](?:versions[/\\]\d{4}|(?:\d+\.)?index\.js)/m] },
  { category: 'broken-install', patterns: [
    /^(?:Uncaught )?SyntaxError(?: \[\w+\])?: (?!.{0,200}\bJSON\b)/m] },
  { category: 'broken-install', patterns: [
    /[/\\]node(?:\.exe)?['"’]? ?: |env: .?node|exec: .?node/i,
    /node(?:\.exe)?'? is not recognized|[\w-]\.node\b/i,
    /\bspawn \S*(?:rg|node|cursorsandbox)(?:\.exe)?['"]? E[A-Z]{3,}/i] },
]

/** How a shell or Windows reports a program that cannot run. */
const LOADER_EXIT_CODES: ReadonlySet<number> = new Set([
  126, 127, 0xc0000135, 0xc000007b, 0xc0000142, 0xc000001d, 0xc0000139, 0xc0000428,
])

export interface Tables {
  readonly sentences: readonly Row[]
  readonly errors: readonly ErrorRow[]
  readonly shapes: readonly Row[]
}

export const TABLES: Tables = { sentences: SENTENCES, errors: ERRORS, shapes: SHAPES }

/** Start failures that parallel runs cause each other; a second start usually works. */
export const START_RACES: ReadonlySet<FailureCategory> = new Set(['cli-config', 'credential-store'])

export interface Recognised {
  readonly category: FailureCategory
  readonly recoverable: boolean
  readonly startRace: boolean
  readonly nextStep: Words
  /** Whether the failure was recognised by this line. */
  readonly isCause: (line: string) => boolean
}

const CODES: ReadonlySet<string> = new Set(ERRORS.flatMap(({ codes = [] }) => codes))
const CLASSES: ReadonlySet<string> = new Set(
  ERRORS.flatMap(({ classes = [] }) => classes.map((name) => name.toLowerCase())),
)

export function isRpcCode(code: string): boolean {
  return CODES.has(code)
}

/**
 * @param lines the CLI's sentences, oldest first.
 */
export function recogniseFailure(
  lines: readonly string[],
  exitCode?: number | null,
  { sentences, errors, shapes }: Tables = TABLES,
): Recognised | undefined {
  const text = lines.join('\n')
  const at = lines.findLastIndex((line) => isOwnError(parseErrorLine(line, isRpcCode)))
  // The CLI's last own error and everything after it, because it may take several lines.
  const own = at === -1 ? '' : lines.slice(at).join('\n')
  const error = parseErrorLine(lines[at] ?? '', isRpcCode)
  const firm = sentences.filter(({ recoverable }) => recoverable === undefined)
  const spanning = sentences.filter(({ spansLines }) => spansLines)
  // A code already implies a server error, so sentences count only if they say something else.
  const besideCode = sentences.filter(({ category }) => category !== 'server-error')
  const byOwn =
    byRow(firm, own) ??
    byRow(spanning, text) ??
    byRow(error.code === undefined ? sentences : besideCode, own) ??
    byError(errors, error)
  // A recoverable error, such as a lost connection, may only be the consequence of another failure.
  if (byOwn?.recoverable === false) return byOwn
  return (
    byRow(firm, text) ??
    byOwn ??
    byRow(shapes, text) ??
    byRow(sentences, text) ??
    (LOADER_EXIT_CODES.has(exitCode ?? 0)
      ? recognised({ category: 'broken-install' }, () => false)
      : undefined)
  )
}

function isOwnError({ classes, code }: ErrorLine): boolean {
  const isMinified = classes.length > 1 && (classes.at(-1) ?? '').length <= 2
  return code !== undefined || isMinified || classes.some((name) => CLASSES.has(name))
}

function byRow(rows: readonly Row[], text: string): Recognised | undefined {
  const row = rows.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))
  return row && recognised(row, (line) => row.patterns.some((pattern) => pattern.test(line)))
}

function byError(rows: readonly ErrorRow[], { classes, code }: ErrorLine): Recognised | undefined {
  const row = rows.find((it) =>
    code === undefined
      ? it.classes?.some((name) => classes.includes(name.toLowerCase()))
      : it.codes?.includes(code),
  )
  return row && recognised(row, (line) => isOwnError(parseErrorLine(line, isRpcCode)))
}

function recognised(
  row: Pick<Row, 'category' | 'advice' | 'recoverable' | 'permanent'>,
  isCause: Recognised['isCause'],
): Recognised {
  const { category, advice } = row
  return {
    category,
    recoverable: row.recoverable === true,
    startRace: START_RACES.has(category) && row.permanent === undefined,
    nextStep: advice === undefined ? CATEGORIES[category].nextStep : ADVICE[advice],
    isCause,
  }
}
