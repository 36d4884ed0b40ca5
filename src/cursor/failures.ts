/**
 * How the CLI's own words are recognised, at three levels, each a table: sentences it is known to
 * say, classes and codes of its errors, and the shape of a loader's or the system's error. What a
 * person is told about a category belongs to `categories.ts`, the order of the rules to `outcome.ts`.
 */

import type { Words } from '../words.ts'
import { ADVICE, CATEGORIES, type AdviceName, type FailureCategory } from './categories.ts'
import { parseErrorLine, type ErrorLine } from './cli-words.ts'

interface Row {
  readonly category: FailureCategory
  readonly pattern: RegExp
  /** Where the category's own next step is too general. */
  readonly advice?: AdviceName
  /**
   * A CLI that recovers, or a tool that it runs, says so too. So it explains an end only when no
   * error of the CLI's own does, and a signal is then the better explanation.
   */
  readonly recoverable?: true
  /** Looks at what stands before the CLI's last error too. */
  readonly spansLines?: true
  /** No race between parallel starts, though its category can be one. */
  readonly permanent?: true
}

/** Level 1: what the CLI is known to say; the first row that matches decides. */
// prettier-ignore
const SENTENCES: readonly Row[] = [
  // Only at the start of a line, because an option error echoes the prompt, which can hold anything.
  { category: 'cli-outdated', pattern: /^error: (?:unknown (?:option|command)|option '|too many arg)/m },
  { category: 'prompt-rejected', pattern: /No prompt provided|missing required argument 'prompt/i },
  { category: 'cli-outdated', pattern: /Update Required|version (?:of [\w ]{3,30} )?is (?:no longer supported|too old|outdated|not supported)|update to the latest version|(?:update|upgrade) (?:the |your )?(?:Cursor|CLI|client|version)\b/i },
  { category: 'request-rejected', advice: 'fewerTools', pattern: /too many (?:MCP )?tools|MCP tools are enabled|(?:maximum|limit)[\w ]{1,30} tools\b/i },
  { category: 'request-rejected', advice: 'smallerTask', pattern: /\b(?:tokens?|context|prompt|conversation|payload|input|history)\b.{0,40}(?:too (?:long|large|big|many)\b|exceed|limit reached)|(?:request|message|query|body|entity) (?:is |was )?too (?:long|large|big)|too many (?:input )?tokens|(?:maximum|max) context|context (?:window|length)/i },
  { category: 'usage-limit', pattern: /\b(?:usage|spend(?:ing)?|budget|requests?|API|credits?|monthly|daily|billing|hard) limits?\b|out of (?:usage|credits|requests)|used (?:up )?(?:all|up) .{0,30}\b(?:usage|requests|credits)|Increase limits|usage-based pricing|\bquota\b.{0,40}(?:exceed|exhaust|reached|used)|exceeded your .{0,30}quota|insufficient (?:credits|balance|funds)|hit your (?!rate)[\w ]{0,30}limit/i },
  { category: 'plan-limit', pattern: /Named models unavailable|Free (?:plan|user|tier)s? can|Model unavailable on|(?:included|available|part|supported|allowed) (?:in|on|of|by|with) (?:your|the|this)(?: \w+)? (?:plan|tier|subscription)|your (?:\w+ )?plan (?:does|doesn't|cannot)|upgrade (?:plans?\b|your (?:\w+ )?(?:plan|subscription|account)|to (?:an? |Cursor )?(?:Pro|Teams?|Ultra|Business|paid)\b)|requires? (?:an? )?(?:paid|Pro|Business|Teams?|Ultra|active|\w+ plan|\w+ subscription)\b|(?:subscription|paid plan) (?:is )?required|trial (?:has )?(?:ended|expired)/i },
  { category: 'action-required', pattern: /must (?:acknowledge|accept|agree)|unpaid|payments? (?:method|info|details|failed|is |was |required)|past due|card .{0,20}declined|data (?:retention )?policy|Cursor is not available in|Check your settings|verify your|terms of (?:service|use)|accept the .{0,30}terms|privacy mode|suspicious activity|account (?:is|has been|was) (?:suspended|disabled|locked|blocked|banned|deactivated|restricted|flagged|on hold)|too many computers/i },
  { category: 'admin-policy', pattern: /Model Blocked|admin\w*(?:'s)? (?:has|have) (?:disabled|blocked|not|restricted)|(?:disabled|blocked|restricted|forbidden|turned off|not (?:enabled|allowed|permitted)) (?:by|for|in) (?:your|the) (?:team|org\w*|admin\w*|enterprise|company)|\b(?:team|org\w+|admin\w*|enterprise|company)(?:'s)? polic(?:y|ies)\b|(?:your|the) (?:team|org\w+|enterprise|company)\b.{0,40} (?:disabled|blocked|does(?:n't| not) allow|not (?:enabled|allowed)|restricts?)|contact your (?:team |org\w* )?admin/i },
  { category: 'invalid-model', pattern: /Cannot use this model:/i },
  { category: 'invalid-model', advice: 'otherModel', pattern: /AI Model Not Found|Model name is not valid|\b(?:unknown|invalid|unsupported|no such) model\b|\bmodel\b.{0,60}\b(?:(?:was |is )?not (?:found|available|supported|offered|valid)|does(?:n't| not) (?:exist|serve)|(?:has been|was|is) (?:deprecated|retired|removed))(?!.{0,40}(?:right now|moment|temporar|demand))/i },
  { category: 'workspace-not-trusted', pattern: /Workspace Trust|trust the (?:contents|files|authors)|(?:workspace|directory|folder) is (?:not trusted|untrusted)|untrusted (?:workspace|directory|folder)/i },
  { category: 'sandbox-unavailable', pattern: /Sandbox mode is enabled but|Sandbox (?:requires|failed|could not|cannot)|sandbox\w*\b.{0,60}(?:not available|unavailable|(?:not |un)supported)|\bcursorsandbox\b|\bbwrap: /i },
  { category: 'credential-store', advice: 'keychainLocked', permanent: true, pattern: /keychain is locked|unlock-keychain|InteractionNotAllowed|User interaction is not allowed/i },
  { category: 'credential-store', pattern: /Password not found for account|Security (?:command failed|process exited)|security exit code|SecItem\w+ failed|\berrSec\w+|(?:macOS|login|system) keychain|keychain (?:item|access|error)|in the keychain|SecKeychain|Secret Service|D-Bus|freedesktop\.secrets|credential (?:store|manager)|\bE[A-Z]{3,12}\b.{0,200}[/\\]auth\.json/i },
  // The system's error for its file or directory, not any mention of them.
  { category: 'cli-config', pattern: /\bE[A-Z]{3,12}\b.{0,300}(?:cli-config\.json|[/\\]\.cursor[/\\'"]|[/\\]\.config[/\\]cursor[/\\'"])|cli-config\.json.{0,300}\b(?:E[A-Z]{3,12}\b|invalid|corrupt|parse)|(?:invalid|corrupt|parse).{0,60}cli-config\.json/ },
  { category: 'broken-install', advice: 'nodeOptions', pattern: /is not allowed in NODE_OPTIONS/ },
  { category: 'network', advice: 'proxy', pattern: /Failed to reach the Cursor API|proxy CONNECT|connection to prox|\b407 Proxy|proxy (?:authentication|refused|responded|server|error)/i },
  { category: 'not-authenticated', advice: 'keyRejected', pattern: /invalid (?:API|user|CURSOR_API)[ _]?key|API[ _]key (?:is|was|has been) (?:invalid|not valid|rejected|revoked|expired|disabled)|Backend rejected authentication/i },
  { category: 'not-authenticated', pattern: /Authentication (?:required|failed|expired)|\bnot (?:currently )?(?:logged|signed) in\b|not authenticated|(?:please|to|must) (?:log|sign) ?in\b|(?:log|sign) in (?:again|first|to continue)|(?:session|login|token|credentials?) (?:has |have |is )?expired|been (?:logged|signed) out|browser for login/i },
  { category: 'server-error', pattern: /Provider Error|connecting to the model provider|provider (?:returned|is (?:down|unavailable))/i },
  // A lost connection explains the retriable error after it, whatever that one says.
  { category: 'network', spansLines: true, pattern: /Connection lost, reconnecting[^]*^(?:Error: )?(?:RetriableError|ConnectError|[A-Za-z]{1,2}): /m },
  { category: 'network', pattern: /(?:Writ|Read)ableIterable is closed|Connection (?:failed|stalled|closed|reset|aborted)|without turnEnded|EndStreamResponse|dropped mid-stream/i },
  { category: 'killed', pattern: /^(?:Aborting operation|Operation (?:was )?cancell?ed|Interrupted\b)/im },
  { category: 'network', recoverable: true, pattern: /network socket disconnected|\bping\b.{0,20} timed out|HTTP\/2 (?:stream|session|connection)|Session closed with|Premature close|stream (?:was )?(?:reset|closed)|socket hang up|\b(?:ECONN[A-Z]{4,8}|ETIMEDOUT|ENOTFOUND|EAI_[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+|ESERVFAIL|ENODATA|EPROTO|EPIPE)\b|self[- ]signed certificate|unable to (?:get|verify) .{0,40}certificate|certificate (?:has expired|is not yet valid)|does not match certificate|\bUNABLE_TO_(?:GET|VERIFY)_\w|SELF_SIGNED_CERT|\bCERT_(?:HAS|NOT|UNTRUSTED|REVOKED|REJECTED|SIGNATURE|CHAIN)|ERR_(?:TLS|SSL|HTTP2|STREAM)_|SSL routines|fetch failed|NGHTTP2_|UND_ERR_|(?:connect|request|read|handshake|connection|operation) tim(?:ed out|eout)|Connection lost|network (?:error|is unreachable|connection)|<!DOCTYPE|Unexpected token '?</i },
  { category: 'rate-limited', recoverable: true, pattern: /\brate[- ]limit|too many requests|high (?:demand|load)|overloaded|at capacity|your capacity|slow down|\bHTTP 429|status(?: code)? 429/i },
  { category: 'server-error', recoverable: true, pattern: /exceeded max retries|internal (?:server )?error|(?:Service|temporarily) Unavailable|Bad Gateway|\bHTTP(?: status)? 5\d\d\b|status(?: code)? 5\d\d\b|communicating with the server|session services|something went wrong/i },
  { category: 'not-authenticated', recoverable: true, pattern: /\bUnauthorized\b|\bHTTP 401|status(?: code)? 401/i },
  { category: 'cli-config', recoverable: true, pattern: /\bJSON\b.{0,80}(?:input|position|string)|is not valid JSON|SyntaxError: .{0,200}\bJSON\b/ },
  { category: 'action-required', recoverable: true, pattern: /^(?!.{0,20}press).{3,250}\bto continue\b/im },
]

interface ErrorRow {
  readonly category: FailureCategory
  /** RPC codes in lower case, without underscores. */
  readonly codes?: readonly string[]
  /** Names of classes, where no code says more. */
  readonly classes?: readonly string[]
  readonly recoverable?: true
}

/** Level 2: an error of the CLI's own, by its RPC code or, without one, by its class. */
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

/** Level 3: the shape of what a loader or the system says when the program cannot run. */
// prettier-ignore
const SHAPES: readonly Row[] = [
  { category: 'broken-install', advice: 'applicationControl', pattern: /Application Control|blocked by (?:group policy|your (?:administrator|organization))|AppLocker|0xc0e90002/i },
  { category: 'broken-install', advice: 'quarantine', pattern: /disallowed by system policy|code signature|not valid for use in process|library validation|cannot be opened because/i },
  { category: 'broken-install', advice: 'wrongMachine', pattern: /Exec format error|Bad CPU type|wrong ELF class|invalid ELF header|incompatible architecture|not a valid Win32 application|not compatible with the version of Windows|mach-o, but wrong|wrong architecture|cannot execute binary file|Illegal instruction|system cannot execute/i },
  { category: 'broken-install', advice: 'systemLibraries', pattern: /`?(?:GLIBC|GLIBCXX|CXXABI)\w*[\d.]*' not found|loading shared librar|shared object file|required file not found|Error relocating|symbol not found|undefined symbol|Library not loaded|dyld\[|dynamically linked executable|ld-(?:linux|musl)|bad interpreter|specified module could not be found|\b0xc000(?:0135|007b|0142)\b|\.dll\b.{0,40}(?:missing|not found)/i },
  { category: 'broken-install', pattern: /^(?:Uncaught )?(?:Error: |Error \[\w+\]: )?Cannot find (?:module|package)|node: bad option|ERR_(?:MODULE_NOT_FOUND|DLOPEN_FAILED|UNKNOWN_FILE_EXTENSION|REQUIRE_ESM)|native (?:binding|module|addon)|NODE_MODULE_VERSION|different Node\.js version|ChunkLoadError|Loading chunk|in ES module scope|\bE[A-Z]{3,12}\b.{0,300}[/\\](?:versions[/\\]\d{4}|(?:\d+\.)?index\.js)/m },
  { category: 'broken-install', pattern: /^(?:Uncaught )?SyntaxError(?: \[\w+\])?: (?!.{0,200}\bJSON\b)/m },
  { category: 'broken-install', pattern: /[/\\]node(?:\.exe)?['"’]? ?: |env: .?node|exec: .?node|node(?:\.exe)?'? is not recognized|[\w-]\.node\b|\bspawn \S*(?:rg|node|cursorsandbox)(?:\.exe)?['"]? E[A-Z]{3,}/i },
]

/** Exit codes of a shell and of Windows for a program that cannot run. */
const LOADER_EXIT_CODES: ReadonlySet<number> = new Set([
  126, 127, 0xc0000135, 0xc000007b, 0xc0000142, 0xc000001d, 0xc0000139, 0xc0000428,
])

export interface Tables {
  readonly sentences: readonly Row[]
  readonly errors: readonly ErrorRow[]
  readonly shapes: readonly Row[]
}

export const TABLES: Tables = { sentences: SENTENCES, errors: ERRORS, shapes: SHAPES }

/** Failures of a start that parallel runs cause each other and that pass at once. */
const START_RACES: ReadonlySet<FailureCategory> = new Set(['cli-config', 'credential-store'])

export interface Recognised {
  readonly category: FailureCategory
  readonly recoverable: boolean
  readonly startRace: boolean
  readonly nextStep: Words
  /** Tells the line that was recognised. */
  readonly isCause: (line: string) => boolean
}

const CODES: ReadonlySet<string> = new Set(ERRORS.flatMap(({ codes = [] }) => codes))
const CLASSES: ReadonlySet<string> = new Set(ERRORS.flatMap(({ classes = [] }) => classes))

export function isRpcCode(code: string): boolean {
  return CODES.has(code)
}

/**
 * @param lines sentences of the CLI, oldest first.
 * @param exitCode of its process.
 */
export function recogniseFailure(
  lines: readonly string[],
  exitCode?: number | null,
  { sentences, errors, shapes }: Tables = TABLES,
): Recognised | undefined {
  const text = lines.join('\n')
  const at = lines.findLastIndex((line) => isOwnError(parseErrorLine(line, isRpcCode)))
  // The CLI's own last error, with the lines that it may be spread over.
  const own = at === -1 ? '' : lines.slice(at).join('\n')
  const error = parseErrorLine(lines[at] ?? '', isRpcCode)
  const firm = sentences.filter(({ recoverable }) => recoverable === undefined)
  const spanning = sentences.filter(({ spansLines }) => spansLines)
  // A code says itself that a server failed; words behind it decide where they say something else.
  const besideCode = sentences.filter(({ category }) => category !== 'server-error')
  const byOwn =
    byRow(firm, own) ??
    byRow(spanning, text) ??
    byRow(error.code === undefined ? sentences : besideCode, own) ??
    byError(errors, error)
  // A lost connection can be what came of another failure.
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
  const row = rows.find(({ pattern }) => pattern.test(text))
  return row && recognised(row, (line) => row.pattern.test(line))
}

function byError(rows: readonly ErrorRow[], { classes, code }: ErrorLine): Recognised | undefined {
  const row = rows.find((it) =>
    code === undefined
      ? it.classes?.some((name) => classes.includes(name))
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
