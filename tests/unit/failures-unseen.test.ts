// Texts that are in no recorded case: other wording, casing, codes, classes, loaders and layouts. They
// hold the table to the kinds of failure, not to the texts that it was written from.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { FailureCategory } from '../../src/cursor/categories.ts'
import { parseErrorLine, quoteFrom, wordsIn } from '../../src/cursor/cli-words.ts'
import { isRpcCode, recogniseFailure, TABLES, type Tables } from '../../src/cursor/failures.ts'
import { runCases, stdoutBytes } from '../support/cases.ts'
import { judged } from '../support/judged.ts'

const CLI = '/home/someone/.local/share/cursor-agent/versions/2026.10.22-27dcf5f'
const MAC = '/Users/someone/.local/share/cursor-agent/versions/2026.10.22-27dcf5f'
const WIN = 'C:\\Users\\someone\\AppData\\Local\\cursor-agent\\versions\\2026.10.22-27dcf5f'

const TEXTS: Partial<Record<FailureCategory, readonly string[]>> = {
  'not-authenticated': [
    'Error: Please sign in to continue.',
    'ConnectError: [unauthenticated] User is not logged in',
    'Failed to open browser for login. Please visit: https://cursor.com/loginDeepControl?challenge=x&uuid=y&mode=login',
    '⚠ Warning: The provided API key is invalid.',
    'Error: The provided auth token has expired. Please log in again.',
    'Error: Failed to exchange API key: 401 Unauthorized',

    'Error: Please sign in to continue',
    'ActionRequiredError: Please sign in to continue',
    'Error: You are not logged in. Run `cursor-agent login`.',
    '[unauthenticated] Error',
    'ConnectError: [unauthenticated] Error',
    'Error: T: [unauthenticated] Your session is no longer valid',
    'NonRetriableError: [unauthenticated] Backend rejected authentication.',
    'Failed to open browser for login. Please visit: https://cursor.com/loginDeepControl?challenge=abc',
    'Error: Your session has expired. Please log in again.',
    'Error: Login expired',
    'Error: Invalid API key',
    '✗ Your API key has been revoked.',
    'Error: Not signed in',
    'Error: HTTP 401 Unauthorized',
  ],
  'credential-store': [
    'Error: Your macOS login keychain is locked.\n',
    'Error: The macOS keychain item already exists (errSecDuplicateItem, security exit code 45).',
    'Error: security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.',
    'Error: Keychain access denied',

    "Error: Cursor couldn't find your saved login in the macOS keychain.\nLog out and sign back in to refresh your saved login: run `agent logout`, then start agent again.",
    "Cursor couldn't save your login to the macOS keychain (errSecDuplicateItem, security exit code 45).\nThe keychain item is stuck. Delete it and sign in again:\n  security delete-generic-password -s cursor-access-token -a cursor-user\n  agent login",
    'Error: SecItemAdd failed -25299',
    'Error: Security process exited with code: 36',
    'Error: User interaction is not allowed.',
    "EACCES: permission denied, open '/home/someone/.config/cursor/auth.json'",
  ],
  'invalid-model': [
    'ActionRequiredError: AI Model Not Found Model name is not valid: "claude-fable-5"',
    'ActionRequiredError: Model not available This model provider does not serve your region.',
    'Error: Model "x" is not available. Use --list-models to see available models.',

    'Error: I: AI Model Not Found\nModel name is not valid: "gpt-5-nano"',
    'ActionRequiredError: AI Model Not Found Model name is not valid: "gpt-9"',
    'ConnectError: [not_found] AI Model Not Found',
    'Cannot use this model: Composer. Available models: default, composer-2.5',
    'NonRetriableError: [invalid_argument] Cannot use this model: Composer.',
    "ActionRequiredError: Model not available This model provider doesn't serve your region.",
    'Error: The model gpt-9 does not exist',
    'Error: Unknown model gpt-9',
    'ActionRequiredError: Model not supported The model o9 is not supported.',
  ],
  'plan-limit': [
    'ActionRequiredError: Max Mode requires a paid plan',
    'Error: This feature requires Pro',
    'ActionRequiredError: Your Pro trial has expired',

    'S: Named models unavailable Free plans can only use Auto. Switch to Auto or upgrade plans to continue.',
    'Named models unavailable\nFree plans can only use Auto.',
    'ActionRequiredError: Upgrade your plan to continue',
    'Error: Upgrade to Pro to use this model',
    'Error: This model is not included in your plan',
    'ConnectError: [permission_denied] subscription required',
    'ActionRequiredError: Model unavailable on free plan',
  ],
  'usage-limit': [
    "ActionRequiredError: You've hit your usage limit for Opus Switch to Auto or set a Spend Limit to continue. Your usage limits will reset when your monthly cycle ends on 1/3/2027.",
    "Error: You've hit your usage limit\nYour usage limits will reset on Jan 3, 2027.",
    'ActionRequiredError: Spend limit reached Your team spend limit has been reached.',
    'ActionRequiredError: On-demand usage limit reached',
    "You've used all your included usage",

    "ActionRequiredError: Increase limits for faster responses You're out of usage. Switch to Auto or Composer 2.5, or ask your admin to increase your limit to continue.",
    "S: Increase limits for faster responses\nYou're out of usage. Switch to Auto, or ask your admin to increase your limit to continue.",
    'S: Increase limits for faster responses Composer 1.5 is not available in the slow pool. Please switch to Auto.',
    "ActionRequiredError: You've reached your usage limit",
    'ActionRequiredError: Your team has reached its usage limit Please reach out to an admin to increase your limit, or return on 8/20/2026 when your usage resets.',
    "Error: You've hit your spend limit",
    'RetriableError: [resource_exhausted] API usage limit reached Switched to composer-2.5 after reaching API limit.',
    'ActionRequiredError: Usage-based pricing required',
    "Error: T: You've hit your limit of free requests",
  ],
  'rate-limited': [
    'Error: Rate limit reached, 30000 tokens per minute exceeded',
    'MCP server "payments" failed: invoice not found\nConnectError: [resource_exhausted] Error',
    'MCP server "payments" failed: invoice not found\nConnectError: [resource_exhausted] Error',

    'Error: T: [resource_exhausted]',
    'ConnectError: [resource_exhausted] Error',
    'Error: RetriableError: RetriableError: [resource_exhausted] slow down',
    '[RESOURCE_EXHAUSTED] Error',
    "RetriableError: We're experiencing high demand for Claude right now. Please try again in a few minutes.",
    'Error: Too many requests',
    'Gemini prompt failed: you have exhausted your capacity for today',
  ],
  network: [
    'RetriableError: [aborted] The operation was aborted',
    'Error: [canceled] This operation was aborted',
    'RetriableError: [unavailable] connect ETIMEDOUT 1.2.3.4:443',
    'RetriableError: [internal] stream closed with error code NGHTTP2_INTERNAL_ERROR',
    'RetriableError: [unknown] fetch failed',
    'NonRetriableError: [unavailable] Error',
    'RetriableError: Connection lost',
    'Error: getaddrinfo EAI_AGAIN api2.cursor.sh',
    'Error: unable to verify the first certificate',
    'RetriableError: [internal] unable to get issuer certificate',
    'RetriableError: HTTPS proxy CONNECT failed: 502 Bad Gateway',
    'RetriableError: [unavailable] HTTPS proxy CONNECT failed: 403 Forbidden',
    'Connection lost, reconnecting to https://a.example.invalid (attempt 1)...\nConnection lost, reconnecting to https://a.example.invalid (attempt 2)...\nRetriableError: [internal] Error',
    'Error: RetriableError: [unavailable] Error\n    at x (file:///a.js:1:1)',
    'Error: T: Stream ended without turnEnded',
    'RetriableError: [internal] NGHTTP2_REFUSED_STREAM',
    'Error: connect ECONNREFUSED ::1:443',
    'RetriableError: [deadline_exceeded] Error',

    'RetriableError: [canceled] http/2 stream closed with error code CANCEL (0x8)',
    'Error: RetriableError: Stream ended without turnEnded — connection likely dropped mid-stream',
    'Error: T: ReadableIterable is closed',
    'Error: T: [deadline_exceeded]',
    'Error: T: [unavailable] service is down',
    'ConnectError: [aborted] aborted',
    '[cancelled] Error',
    'ConnectError: a sentence of tomorrow',
    'ConnectError: [aborted] read ECONNRESET',
    'ConnectError: read ETIMEDOUT',
    'Connect error unavailable: Error',
    'Error: 14 UNAVAILABLE: No connection established',
    'ConnectError: [internal] error:0A000126:SSL routines::unexpected eof while reading',
    'RetriableError: [internal] Failed to establish a socket connection to proxies: PROXY 10.0.0.1:3128',
    'Error: S: Connection stalled after 30s',
    'NonRetriableError: Connection failed repeatedly',
    'Error: connect ECONNREFUSED 127.0.0.1:8080',
    'RetriableError: [unknown] read EPIPE',
    "TypeError: fetch failed\n    at node:internal/deps/undici/undici:13510:13 {\n  [cause]: Error: getaddrinfo EAI_AGAIN api2.cursor.sh\n      at GetAddrInfoReqWrap.onlookupall {\n    code: 'EAI_AGAIN'\n  }\n}",
    'Error: unable to get local issuer certificate',
    'RetriableError: self-signed certificate in certificate chain',
    'Connection lost, reconnecting to https://agent.example.invalid (attempt 3)...\nT: [internal] Failed to run step, exceeded max retries',
    'Error: HTTPS proxy CONNECT failed: 407 Proxy Authentication Required',
    '✗ Failed to reach the Cursor API. Check that your proxy (http://user:pass@proxy.corp:3128) is reachable.',
    'RetriableError: [unavailable] HTTP 502',
    'Error: [UNAVAILABLE] upstream connect error',
    'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
    'RetriableError: Premature close',
    'RetriableError: [invalid_argument] protocol error: unknown frame',
    'Error: NGHTTP2_ENHANCE_YOUR_CALM',
    'RetriableError: [invalid_argument] protocol error: received invalid frame: missing EndStreamResponse',
  ],
  'server-error': [
    'my-server: the usage limit of this server is 5\nRetriableError: [internal] Error',
    '[mcp github] Error: usage limit reached\nRetriableError: [internal] Error',
    'NonRetriableError: Provider Error We encountered an issue with the provider. Please try again later.',
    'Error: [internal] Error',
    'Error: S: [internal] Error',
    'RetriableError: [unknown] Error',
    'ConnectError: [internal] Internal server error',
    'RetriableError: [internal] The model produced an invalid response',
    'NonRetriableError: Provider Error The model provider returned an error.',
    'Error: Something went wrong. Please try again. Request ID: 7d1f5a02-1111-4222-8333-abcdefabcdef',

    'RetriableError: [internal] Failed to run step, exceeded max retries',
    'ConnectError: [unknown] Error',
    'Error: T: [data_loss] Error',
    'ConnectError: [internal] internal error',
    "NonRetriableError: Provider Error We're having trouble finding the resource you requested.",
    "b: Provider Error We're having trouble connecting to the model provider.",
    'RetriableError: Service Unavailable',
    'RetriableError: HTTP 502',
    'Something went wrong communicating with the server. Please try again.',
    'RetriableError: Something nobody has written before',
    'ConnectError: [internal] A sentence of tomorrow',
  ],
  'request-rejected': [
    'NonRetriableError: Conversation too long Start a new conversation.',
    'ActionRequiredError: Conversation Too Long',
    'RetriableError: [invalid_argument] Error',
    'ConnectError: [invalid_argument] invalid tool schema',
    'NonRetriableError: Provider Error The request was too large for the model.',
    'RetriableError: [internal] prompt is too long: 210000 tokens > 200000 maximum',
    'NonRetriableError: Bad Request',
    'NonRetriableError: Provider Error You have 128 tools enabled. The limit is 80 tools.',

    'NonRetriableError: conversation too long',
    'Error: T: conversation too long',
    'NonRetriableError: Provider Error\nToo many MCP tools are enabled for this model.',
    'RetriableError: [invalid_argument] Input is too long for requested model',
    'Gemini prompt failed: token count exceeds the model limit',
    'NonRetriableError: Your message is too long',
    'ConnectError: [out_of_range] Error',
    'Error: T: [invalid_argument] Error',
    'NonRetriableError: [invalid_argument] model or mode not allowed together',
    'NonRetriableError: Too many tools are enabled',
    'ConnectError: [not_found] Error',
    'ConnectError: [already_exists] Error',
    'NonRetriableError: A sentence of tomorrow',
    'Error: Context window exceeded',
  ],
  'action-required': [
    'ACTIONREQUIREDERROR: Something to do',
    'ActionRequiredError: Enable usage data sharing in your settings to use this model.',
    'ActionRequiredError: Payment failed Update your payment method at cursor.com/settings.',
    'Error: S: You have an unpaid invoice',
    'ActionRequiredError: Verify your email Please verify your email to continue.',
    'Error: Cursor is not available in your region.',
    'ActionRequiredError: Privacy Mode Required This model is not available in Privacy Mode.',
    'ConnectError: [permission_denied] Cursor is not available in your region. See https://cursor.com/docs/account/regions',

    'ActionRequiredError: You have an unpaid invoice. Visit cursor.com/dashboard.',
    'NonRetriableError: [permission_denied] Cursor is not available in your region.',
    'ActionRequiredError: Cursor is not available in your region.',
    'ActionRequiredError: Check your settings to continue',
    'Check your settings to continue',
    'Error: Choose a workspace owner first to continue',
    'ConnectError: [permission_denied] Error',
    'ActionRequiredError: Add a payment method to continue',
    'Error: T: Review Data Policy You must acknowledge the data retention policy to use the model.',
    'ActionRequiredError: Too many computers. Too many computers used within the last 24 hours.',
    'ActionRequiredError: A thing that nobody has asked for yet',
    'ConnectError: [failed_precondition] Error',
    'ActionRequiredError: Your account has been suspended',
    'Error: Your last payment was declined',
  ],
  'admin-policy': [
    'ActionRequiredError: Model Blocked Your organization admin has blocked this model.',
    'Error: Your team administrator has disabled cloud agents.',
    'ConnectError: [permission_denied] Your team admin has disabled the CLI',
    'Error: Team policy does not allow this model',

    'ActionRequiredError: Model Blocked This model is not enabled by your organization.',
    'Error: Your organization has disabled this model',
    'Error: Your team administrator has disabled MCP servers.',
    'ActionRequiredError: This model has been disabled by your team admin',
    'Error: Your administrator has not enabled the CLI for your team. Contact your admin.',
  ],
  'cli-outdated': [
    'ConnectError: [failed_precondition] Update Required Your version of Cursor is no longer supported.',
    'Error: S: Update Required Please update Cursor to continue.',
    "error: unknown command 'foo'",
    'Your cursor-agent version is outdated. Please run agent update.',

    "error: unknown option '--approve-mcps'",
    "error: unknown option '--mode'\n(Did you mean --model?)",
    "error: option '--sandbox <mode>' argument 'enabled' is invalid. Allowed choices are on, off.",
    "error: option '--output-format <format>' argument missing",
    'ConnectError: [unimplemented] Error',
    'ActionRequiredError: Update Required Your version of Cursor is no longer supported.',
    'Error: This version of the Cursor CLI is no longer supported. Please update.',
  ],
  'cli-config': [
    "ENOENT: no such file or directory, mkdir '/nonexistent/.cursor/projects'",
    "Error: ENOSPC: no space left on device, write '/home/someone/.cursor/cli-config.json.tmp'",
    "Error: EACCES: permission denied, mkdir '/home/someone/.cursor'",
    "Error: EACCES: permission denied, mkdir '/home/someone/.cursor/projects/home-u-repo/worker.log'",
    "Error: EPERM: operation not permitted, mkdir '/Users/someone/.cursor/projects/x'",
    "Error: EROFS: read-only file system, open '/home/someone/.config/cursor/cli-config.json'",
    'Error: Failed to parse cli-config.json: Unexpected token',
    'Invalid CLI config: cli-config.json is invalid',

    "Error: EROFS: read-only file system, mkdir '/home/someone/.cursor/projects/srv-repo'",
    "Error: EACCES: permission denied, mkdir '/root/.cursor/projects'",
    "EPERM: operation not permitted, mkdir 'C:\\Users\\someone\\.cursor\\projects\\c-repo'",
    "ENOENT: no such file or directory, rename '/home/someone/.cursor/cli-config.json.412.0a1b2c3d-1111-4222-8333-abcdefabcdef.tmp' -> '/home/someone/.cursor/cli-config.json'",
    "SyntaxError: Expected property name or '}' in JSON at position 2 (line 1 column 3)",
    'SyntaxError: Unterminated string in JSON at position 512',
    "EBUSY: resource busy or locked, rename 'C:\\Users\\someone\\.cursor\\cli-config.json.tmp' -> 'C:\\Users\\someone\\.cursor\\cli-config.json'",
  ],
  'sandbox-unavailable': [
    'Error: Sandbox mode is enabled but not available on this system.\nSandbox is not supported in this container.',

    'Error: Sandbox mode is enabled but not available on this system.\nSandbox failed to start: user namespaces are disabled.',
    'Error: Sandbox is not supported on this platform.',
  ],
  'workspace-not-trusted': [
    '\u001b[33m⚠ Workspace Trust Required\u001b[39m\n\nDo you trust the contents of this directory?',
    '⚠ Workspace Trust Required',
    'Error: This workspace is not trusted',
  ],
  'prompt-rejected': [
    'Error: No prompt provided for print mode. Provide one as an argument or on stdin.',
    'Error: No prompt provided. Pass one as an argument.',
  ],
  killed: [
    'Operation cancelled',
    'CancelledError: the run was interrupted',
    'CanceledError: stopped',
  ],
  'broken-install': [
    'Error: 应用程序控制策略已阻止此文件。\n\\\\?\\C:\\Users\\someone\\file_service.win32-x64-msvc.node',
    'Error: 找不到指定的模块。\n\\\\?\\C:\\Users\\someone\\x.node',
    '/opt/cursor-agent/node: error while loading shared libraries: libstdc++.so.6: cannot open shared object file: No such file or directory',
    '/lib64/ld-linux-x86-64.so.2: No such file or directory',
    'bash: /opt/cursor/cursor-agent: /bin/bash: bad interpreter: No such file or directory',
    '/opt/cursor/cursor-agent: 30: exec: /opt/cursor/node: not found',
    '/opt/cursor/cursor-agent: line 30: exec: /opt/cursor/node: cannot execute: required file not found',
    'Error: Cannot find native binding. npm has a bug related to optional dependencies.',
    "Error: Cannot find module '@anysphere/file-service-linux-x64-gnu'",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/opt/x/1234.index.js' imported from /opt/x/index.js",
    "Error: ENOENT: no such file or directory, open '/home/someone/.local/share/cursor-agent/versions/2026.10.22-27dcf5f/4731.index.js'",
    "Error: EACCES: permission denied, open '/home/someone/.local/share/cursor-agent/versions/2026.10.22-27dcf5f/index.js'",
    'Trace/breakpoint trap: dyld: Symbol not found: _foo',
    'C:\\Users\\someone\\AppData\\Local\\cursor-agent\\versions\\2026.10.22-27dcf5f\\node.exe: C:\\x: bad',
    'Error: A dynamic link library (DLL) initialization routine failed.\n\\\\?\\C:\\Users\\someone\\x.node',
    'Error: node-loader:\nError: dlopen(/Users/someone/x.darwin-arm64.node, 0x0001): tried: ... (code signature invalid)',
    'ReferenceError: require is not defined in ES module scope, you can use import instead\n    at file:///home/someone/.local/share/cursor-agent/versions/x/index.js:1:1',
    '/home/someone/.local/share/cursor-agent/versions/2026.10.22-27dcf5f/index.js:1\nvar x = "abc\n        ^^^^\n\nSyntaxError: Invalid or unexpected token',

    `${CLI}/node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory`,
    `${CLI}/node: /lib64/libstdc++.so.6: version \`GLIBCXX_3.4.26' not found (required by ${CLI}/node)`,
    `Error loading shared library libstdc++.so.6: No such file or directory (needed by ${CLI}/node)`,
    `Error relocating ${CLI}/node: fcntl64: symbol not found`,
    `Could not start dynamically linked executable: ${CLI}/node\nNixOS cannot run dynamically linked executables intended for generic\nlinux environments out of the box. For more information, see:\nhttps://nix.dev/permalink/stub-ld`,
    `${CLI}/cursor-agent: line 30: ${CLI}/node: No such file or directory`,
    `${CLI}/cursor-agent: line 30: ${CLI}/node: Permission denied`,
    `/home/someone/.local/bin/cursor-agent: ligne 30: ${CLI}/node : impossible d'exécuter : fichier requis introuvable`,
    `${MAC}/cursor-agent: line 30: ${MAC}/node: Bad CPU type in executable`,
    `dyld[812]: Library not loaded: @rpath/libnode.dylib\n  Referenced from: ${MAC}/node\n  Reason: tried: '/usr/lib/libnode.dylib' (no such file)`,
    `Error: dlopen(${MAC}/merkle-tree-napi.darwin-x64.node, 0x0001): tried: '${MAC}/merkle-tree-napi.darwin-x64.node' (mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64'))`,
    `Error: dlopen(${MAC}/file_service.darwin-arm64.node, 0x0001): code signature in <1B2C> '${MAC}/file_service.darwin-arm64.node' not valid for use in process`,
    `Error: ${WIN}\\file_service.win32-x64-msvc.node is not a valid Win32 application.\n\\\\?\\${WIN}\\file_service.win32-x64-msvc.node`,
    `Error: The specified module could not be found.\n\\\\?\\${WIN}\\merkle-tree-napi.win32-x64-msvc.node`,
    `Error: The module '${CLI}/sqlite.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 137.`,
    "node:internal/modules/cjs/loader:1215\n  throw err;\n  ^\n\nError: Cannot find module './4731.index.js'\nRequire stack:\n- /opt/cursor/index.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1212:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/opt/cursor/index.js' ]\n}\n\nNode.js v24.5.0",
    `${WIN}\\index.js:1\n@echo off\n^\n\nSyntaxError: Invalid or unexpected token\n    at wrapSafe (node:internal/modules/cjs/loader:1624:18)\n\nNode.js v24.5.0`,
    `${CLI}/index.js:3\nexport PATH\n^^^^^^\n\nSyntaxError: Unexpected token 'export'\n    at wrapSafe (node:internal/modules/cjs/loader:1624:18)`,
    `${CLI}/node: --max-http-header is not allowed in NODE_OPTIONS`,
    `${CLI}/node: bad option: --use-system-ca`,
    'ChunkLoadError: Loading chunk 4731 failed.',
  ],
  'no-result': [
    "ENOENT: no such file or directory, open '/srv/repo/.cursor/mcp.json'",
    'Error: Disk quota exceeded',
    'Error: Please verify your installation of git',
    'MCP error -32000: Connection closed',
    '[mcp:github] Error: usage limit reached',
    'npm ERR! Authentication required',
    'MCP server payments: must acknowledge data policy\nsomething broke',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'Error: ENOSPC: no space left on device, write',

    '(node:401) Warning: something deprecated',
    '(node:1407) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.',
    "TypeError: Cannot read properties of undefined (reading 'map')\n    at q (file:///opt/cursor/index.js:2:100)",
    'Client.listTools() called but server does not advertise tools capability - returning empty list',
    'Killed by the weather',
  ],
}

describe('a text of a known kind', () => {
  for (const [category, texts] of Object.entries(TEXTS)) {
    for (const text of texts) {
      const name = text.split('\n', 1)[0]?.slice(0, 90)
      for (const stream of ['stderr', 'stdout'] as const) {
        it(`is ${category} on ${stream}: ${name}`, () => {
          const failure = judged({ [stream]: `${text}\n`, prompt: 'tidy the shop page' })
          assert.equal(failure.category, category)
          assert.ok(!failure.diagnostic.includes('someone'), failure.diagnostic)
        })
      }
    }
  }
})

describe('the tables', () => {
  const texts = [
    ...Object.values(TEXTS).flat(),
    ...runCases.flatMap((item) => [item.stderr, stdoutBytes(item).toString()]),
  ].map((text) => wordsIn({ head: text, tail: '' }))
  const readings = (tables?: Tables): string =>
    texts
      .map((lines) => {
        const { category, nextStep, recoverable, startRace } =
          recogniseFailure(lines, 1, tables) ?? {}
        return JSON.stringify([category, nextStep, recoverable, startRace])
      })
      .join('\n')
  const withAll = readings()

  for (const name of ['sentences', 'shapes', 'errors'] as const) {
    TABLES[name].forEach((row, at) => {
      it(`need row ${at + 1} of ${name} (${row.category})`, () => {
        const without = { ...TABLES, [name]: TABLES[name].toSpliced(at, 1) }
        assert.notEqual(readings(without), withAll)
      })
    })
  }

  TABLES.errors.forEach((row, at) => {
    for (const key of ['codes', 'classes'] as const) {
      for (const one of row[key] ?? []) {
        it(`need ${one}`, () => {
          const less = { ...row, [key]: row[key]?.filter((other) => other !== one) }
          assert.notEqual(readings({ ...TABLES, errors: TABLES.errors.with(at, less) }), withAll)
        })
      }
    }
  })
})

/** A sentence that nobody has written, of words that no table knows. */
const sentence = fc
  .array(fc.stringMatching(/^[bdfgklmprtvz][aou][bdfgklmprtvz]{1,2}[aou]n$/), {
    minLength: 3,
    maxLength: 20,
  })
  .map((words) => `Zu ${words.join(' ')}.`)

/** How builds print what stands before a sentence. */
const before = (classes: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', 'Error: ', '✗ ', '\u001b[31mError: '),
      fc.constantFrom('', ...classes),
    )
    .map(([mark, name]) => mark + (name === '' ? '' : `${name}: `))

const SECRET = 'crsr_9f8e7d6c5b4a39281706f5e4d3c2b1a0'
const REQUEST = '7d1f5a02-1111-4222-8333-abcdefabcdef'
const behind = fc.constantFrom(
  '',
  ` (request id: ${REQUEST})`,
  ` Request ID: ${REQUEST}`,
  ` [${REQUEST}]`,
  `\n    at q (file:///home/someone/index.js:2:100)`,
  ` See https://example.invalid/x?token=${SECRET} or ask someone@example.invalid.`,
)

describe('a sentence that nobody has written before', () => {
  const check = (category: FailureCategory, head: fc.Arbitrary<string>): void =>
    fc.assert(
      fc.property(
        head,
        sentence,
        behind,
        fc.constantFrom('stderr', 'stdout'),
        (start, said, end, stream) => {
          const failure = judged({ [stream]: `${start}${said}${end}\n` })
          const [first = ''] = failure.diagnostic.split('\n')
          assert.equal(failure.category, category)
          assert.ok(first.includes(`The CLI says: “${said}`), first)
          assert.doesNotMatch(failure.said ?? '', /request/i)
          assert.doesNotMatch(first, /\w(?:Error|Exception)\b|\[[a-z_]+\]|\u001b/)
          for (const hidden of [SECRET, REQUEST, 'someone'])
            assert.ok(!first.includes(hidden), first)
        },
      ),
      { numRuns: 60 },
    )
  const spelled = (code: string): string[] =>
    ({
      deadlineexceeded: ['[deadline_exceeded] ', '[DEADLINE_EXCEEDED] ', 'deadline_exceeded: '],
      permissiondenied: ['[permission_denied] '],
      failedprecondition: ['[failed_precondition] '],
      resourceexhausted: ['[resource_exhausted] ', 'Connect error resource_exhausted: '],
      invalidargument: ['[invalid_argument] '],
      outofrange: ['[out_of_range] '],
      notfound: ['[not_found] '],
      alreadyexists: ['[already_exists] '],
      dataloss: ['[data_loss] '],
    })[code] ?? [`[${code}] `, `[${code.toUpperCase()}] `, `${code}: `]

  for (const { category, codes = [], classes = [] } of TABLES.errors) {
    for (const code of codes) {
      it(`is quoted behind the code ${code}`, () => {
        const anyClass = before(['RetriableError', 'NonRetriableError', 'ConnectError', 'T', 'b'])
        const head = fc.tuple(anyClass, fc.constantFrom(...spelled(code)))
        check(
          category,
          head.map((parts) => parts.join('')),
        )
      })
    }
    for (const name of classes) {
      it(`is quoted behind the class ${name}`, () =>
        check(
          category,
          before([name]).filter((head) => head.includes(name)),
        ))
    }
  }

  it('is quoted behind a class that a minifier left one letter of', () =>
    check(
      'no-result',
      before(['T', 'S', 'b']).filter((head) => /[TSb]: $/.test(head)),
    ))

  it('is quoted where nothing stands before it', () =>
    check('no-result', fc.constantFrom('', 'Error: ')))
})

it('a class name inside another one is not that class', () => {
  const { classes } = parseErrorLine('Error: NonRetriableError: x', isRpcCode)
  assert.deepEqual(classes, ['error', 'nonretriableerror'])
})

// Each repeats a piece of some pattern, so that every quantifier has something to try. One text takes
// at most some 10 ms; a pattern that is not linear would take minutes, in the host's event loop.
it('is done with a hostile text of the kept length', () => {
  const startedAt = performance.now()
  const pieces = new Set(
    [...TABLES.sentences, ...TABLES.shapes]
      .flatMap(({ patterns }) => patterns)
      .flatMap(({ source }) => source.split(/[|()[\]?+*{}^$\\.]+/))
      .filter((piece) => piece.length > 2),
  )
  for (const piece of [...pieces, 'Error: ', 'T: ', '[unavailable] ', '✗ ', 'EPERM ', '\n^\n']) {
    const text = `${piece.repeat(Math.ceil(1900 / piece.length))}\n`.repeat(5)
    const lines = wordsIn({ head: text, tail: '' })
    quoteFrom(lines, isRpcCode, recogniseFailure(lines, 1)?.isCause)
  }
  assert.ok(performance.now() - startedAt < 60_000)
})
