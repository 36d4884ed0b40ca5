/**
 * Finds secrets, addresses and URLs by their looks, and replaces them. `../masking.ts` hides known
 * values, `named-values.ts` values after the name of a secret.
 *
 * The table of keys is this project's own. The well-known lists are made for scanning files: they
 * require a key's exact length and alphabet, so that builds do not fail for nothing, and miss a key
 * that a log has shortened. Here a false alarm costs one word of an error, and a miss leaks a key.
 * So a known beginning is enough, unless plain words follow it.
 *
 * Every pattern takes linear time: it starts at a border or is bounded in length.
 */

import { isPlainName, looksRandom } from './ordinary-words.ts'

const SECRET = '<secret>'

/** How each service's keys begin. A run of letters, digits and `-_.~+/=` follows. */
const BEGINNINGS: readonly (readonly [service: string, beginnings: string])[] = [
  ['Cursor', 'key_ crsr_'],
  ['OpenAI, Anthropic, DeepSeek, OpenRouter', 'sk- sess-'],
  ['Groq, Perplexity, xAI, Hugging Face, Replicate', 'gsk_ pplx- xai- hf_ api_org_ r8_'],
  ['Together, NVIDIA, Tavily, E2B, Pinecone', 'tgp_v1_ nvapi- tvly- e2b_ pcsk_'],
  ['LangSmith, Weights & Biases, Jina, Cerebras', 'lsv2_pt_ wandb_v1_ jina_ csk-'],
  ['GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_'],
  ['GitLab', 'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent-'],
  ['GitLab, older and rarer', 'gloas- glsoat- glffct- glwt- GR1348941'],
  ['Atlassian, Bitbucket', 'ATATT ATCTT ATBB ATSTT BBDC-'],
  ['Slack', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp- xwfp-'],
  ['Stripe, Clerk, WorkOS', 'sk_ rk_ pk_live_ pk_test_ whsec_'],
  ['Amazon', 'AKIA ASIA ABIA ACCA A3T ABSK bedrock-api-key-'],
  ['Google', 'AIza GOCSPX- ya29. GOOG1'],
  ['Alibaba', 'LTAI'],
  ['DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_'],
  ['Cloudflare', 'cfut_ cfat_ cfk_'],
  ['Vercel, Netlify', 'vcp_ vci_ vca_ vcr_ vck_ nfp_ nfc_ nfo_ nfu_ nfb_'],
  ['Fly, Heroku, Render', 'fm1r_ fm1a_ fm2_ fo1_ HRKU- rnd_'],
  ['Supabase, PlanetScale, Neon', 'sbp_ pscale_ napi_'],
  ['npm, PyPI, RubyGems, Clojars, Docker', 'npm_ pypi- rubygems_ CLOJARS_ dckr_pat_ dckr_oat_'],
  ['Artifactory', 'AKCp cmVmd'],
  ['Vault, Doppler', 'hvs. hvb. hvr. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.'],
  ['1Password, Pulumi, Infracost, age', 'ops_ pul- ico- AGE-SECRET-KEY-1'],
  ['Shopify, Square', 'shpat_ shpca_ shppa_ shpss_ shptka_ sq0atp- sq0csp- EAAA'],
  ['EasyPost, Shippo, Duffel', 'EZAK EZTK shippo_live_ shippo_test_ duffel_live_ duffel_test_'],
  ['Flutterwave, Frame.io, ReadMe, Scalingo', 'FLWSECK fio-u- rdme_ tk-us-'],
  ['SendGrid, Brevo, Mailgun, Typeform', 'SG. xkeysib- xsmtpsib- pubkey- tfp_'],
  ['Sentry, Grafana', 'sntrys_ sntryu_ sntrya_ glc_ glsa_'],
  ['New Relic', 'NRAK- NRII- NRJS- NRRA- NRBR- NRSP-'],
  ['Dynatrace', 'dt0c01. dt0s01. dt0s02. dt0s16.'],
  ['Linear, Notion, Figma', 'lin_api_ lin_oauth_ ntn_ secret_ figd_ figo_ figu_'],
  ['Contentful, HubSpot, Postman', 'CFPAT- pat-na1- pat-na2- pat-eu1- PMAK- PMAT-'],
  ['Buildkite, CircleCI, SonarQube', 'bkua_ bkat_ bkct_ CCIPAT_ CCIPRJ_ squ_ sqp_ sqa_'],
  ['Snyk, Sourcegraph, Prefect, WakaTime', 'snyk_uat. sgp_ sgd_ sgs_ pnu_ pnb_ waka_'],
  ['Yandex, Adobe, Tailscale, Ory', 'y0_ AQVN p8e- tskey- ory_at_ ory_rt_ ory_st_ ory_ac_'],
  ['SettleMint, Intra 42, OpenShift', 'sm_aat_ sm_pat_ sm_sat_ s-s4t2 sha256~'],
]
/** Ordinary words begin like this too, so only a random rest makes it a key. */
const SHORT_BEGINNINGS =
  'key- fc- pa- ms- pat. sat. sl. t1. re_ fw_ EAA IGQV API- oy2 cio dapi dkea dose pat AKID 1// -p'

/** The start of a word, also right after an escape such as `\n` or `%20`. */
const BORDER = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))`
const SHORTEST_REST = 8
export const KEY_BEGINNINGS = BEGINNINGS.flatMap(([, beginnings]) => beginnings.split(' '))
const KEY = keyPattern(KEY_BEGINNINGS)
const SHORT_KEY = keyPattern([...SHORT_BEGINNINGS.split(' '), '-p '])

function keyPattern(beginnings: readonly string[]): RegExp {
  const longestFirst = beginnings.toSorted((a, b) => b.length - a.length)
  const any = longestFirst.map((beginning) => beginning.replaceAll('.', String.raw`\.`)).join('|')
  return new RegExp(`${BORDER}(?:${any})([\\w.~+/=-]{${SHORTEST_REST},})`, 'g')
}

/** Secrets with a shape of their own, and their replacements. */
const SHAPES: readonly (readonly [what: string, shape: RegExp, shown: string])[] = [
  [
    'Cursor session',
    /\buser_[A-Za-z0-9]{6,40}(?:::|%(?:25){0,2}3A%(?:25){0,2}3A)[\w.%~+/=-]{8,}/gi,
    SECRET,
  ],
  ['JWT', /(?<![A-Za-z0-9])eyJ[\w+/-]{5,}=*(?:\.[\w+/=-]*){0,4}/g, SECRET],
  ['JWT in base64', /(?<![A-Za-z0-9])ZXlK[\w+/-]{20,}=*/g, SECRET],
  ['Telegram', /(?<![\w-])\d{7,10}:A[A-Za-z0-9_-]{30,}/g, SECRET],
  ['Discord', /(?<![\w.-])[MNO][\w-]{22,28}\.[\w-]{6,7}\.[\w-]{20,}/g, SECRET],
  ['Terraform', /(?<![\w.-])[A-Za-z0-9]{10,20}\.atlasv1\.[\w=-]{10,}/g, SECRET],
  ['Azure application', /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{20,}/g, SECRET],
  ['Mailchimp', /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])/g, SECRET],
  ['Airtable', /(?<![\w-])pat[A-Za-z\d]{14}\.[A-Za-z\d]{16,}/g, SECRET],
  [
    'Authress',
    /(?<![\w-])(?:sc|ext|scauth|authress)_\w{5,30}\.\w{4,6}\.acc[_-][\w.+/=-]{30,}/g,
    SECRET,
  ],
  ['Octopus', /(?<![\w-])API-[A-Z\d]{20,}/g, SECRET],
  ['Vault, older', /(?<![\w.])s\.(?=[A-Za-z]{0,23}\d)[A-Za-z\d]{24}(?![\w.])/g, SECRET],
  ['1Password', /(?<![\w-])A3-[A-Z\d]{6}(?:-[A-Z\d]{5,11}){4,5}(?![\w-])/g, SECRET],
  ['Cloudflare origin', /(?<![\w.-])v1\.0-[\da-f]{20,}-[\da-f]{20,}/g, SECRET],
  ['Twilio', /(?<![A-Za-z0-9])SK[0-9a-fA-F]{32}(?![A-Za-z0-9])/g, SECRET],
  ['Okta', /(?<![\w-])00[\w-]{40}(?![\w-])/g, SECRET],
  ['MaxMind', /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/g, SECRET],
  ['New Relic licence', /(?<![A-Za-z0-9])[0-9a-f]{30,40}NRAL\b/g, SECRET],
  ['Asana', /(?<![\w/.])[12]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{20,}/g, SECRET],
  ['Facebook', /(?<![\w|])\d{13,17}(?:\||%7C)[\w-]{20,}/g, SECRET],
  ['Twitch', /\boauth:[a-z0-9]{20,}/g, SECRET],
  [
    'a user and a password for curl',
    /((?<![\w-])(?:-[uU]|--(?:proxy-)?user)(?:=|[ \t]{1,4}|["']\s{0,4},\s{0,4})["']?[^\s:"'/<]{0,64}:)(?!(?:\d{1,6}|pass|password|<\w{1,20}>)(?![\w-]))(?:(?<=["'][^\s:"'/<]{0,64}:)[^\n"']{1,200}|[^\s"']{1,200})/g,
    `$1${SECRET}`,
  ],
  [
    'a header given to curl',
    /((?<![\w-])(?:-H|--header)(?:=|[ \t]{0,4}|["']\s{0,4},\s{0,4})["']?[\w-]{1,64}:)(?!\s{0,4}(?:value\b|<))\s{0,4}(?:(?<=["'][\w-]{1,64}:\s{0,4})[^\n"']{1,2000}|[^\s"']{1,2000})/g,
    `$1 ${SECRET}`,
  ],
]

/** Labels before an id that may be shown: of a request, a commit, a digest. */
const LABELLED_ID =
  /(?:(?:request|trace|span|session|correlation|conversation|operation|invocation|message|run|job|build|chat|event|x-amz|amz|ray|generation|completion)[\w-]{0,12}[ _-]?(?:id(?:-2)?|uuid)|request|trace|span|event|invocation|operation|build|job|etag|sha-?(?:1|256|384|512)|md5(?:sum)?|digest|checksum|integrity|commit|revision|rev|blob|tree|object|hash|fingerprint)["']?(?:\s{0,2}[:=(-]\s{0,2}|\s{1,2}|\/)["'(]?$/i
const ID_BEGINNING =
  /^(?:req|chatcmpl|msg|toolu|resp|run|thread|call|gen|trace|span|evt|asst|file|batch|cmpl|sha\d{1,3}-|_Z)/
/** The lengths of SHA-1, SHA-256, SHA-384 and SHA-512. */
const DIGEST_LENGTHS: ReadonlySet<number> = new Set([40, 64, 96, 128])
const HEX_RUN = /(?<![\w-])(?=[a-f]{0,200}\d)[a-f\d]{32,}(?![\w-])/gi
/** Does not match inside a path or a file name. */
const RUN = /(?<![\w+=/.@-])[\w+=-]{32,}(?![\w/@-]|\.\w)/g
const BASE64_RUN = /(?<![\w+=/.@~-])[A-Za-z\d][A-Za-z\d+/]{38,}={0,2}(?![\w/@-]|\.\w)/g
/** Shortest random part between two separators; shorter ones can be build numbers. */
const SHORTEST_IN_RUN = 16

/** Credentials before the `@` may contain quotes and brackets; JSON may escape the slashes. */
const URL = /\b[a-z][a-z0-9+.-]{0,30}:(?:\\?\/){2}(?:[^\s/@]{1,200}@)?[^\s"'`<>]*/gi
/** Excludes `package@1.2.3`, where a version follows the `@`. */
const NO_VERSION = String.raw`(?![~^<>=]{0,2}v?\d{1,6}\.(?:\d|x\b))`
const CREDENTIALS_BEFORE_HOST = new RegExp(
  String.raw`[\w.+-]{1,64}:[^\s@/:]{1,128}@${NO_VERSION}[\w.-]{1,255}`,
  'g',
)
const EMAIL = new RegExp(
  String.raw`[^\s@<>()"'\x60:;,=[\]|]{1,64}(?:@|%40)${NO_VERSION}[^\s@<>()"'\x60:;,=[\]/|]{1,255}\.[\p{L}\d-]{2,63}`,
  'gu',
)

/** @returns `text` with every e-mail address and every URL replaced. */
export function maskAddresses(text: string): string {
  return text
    .replaceAll(URL, maskUrl)
    .replaceAll(CREDENTIALS_BEFORE_HOST, '<url>')
    .replaceAll(EMAIL, '<email>')
}

const BEGIN = '-----BEGIN '
const END = '-----END '
/** Runs to the end of the text if the end line is missing. Matches certificates too. */
const KEY_BLOCK =
  /-{4,5} ?BEGIN [A-Z0-9 ]{1,40}-{4,5}(?:[^-]|-(?!---))*(?:-{4,5} ?END [A-Z0-9 ]{1,40}-{4,5})?/g

/**
 * @param isCutAtStart whether the text may begin in the middle of a key.
 * @returns `text` with every PEM block replaced, such as a private key.
 */
export function maskKeyBlocks(text: string, isCutAtStart = false): string {
  const end = text.indexOf(END)
  const begin = text.indexOf(BEGIN)
  const isEndOnly = isCutAtStart && end !== -1 && (begin === -1 || begin > end)
  return (isEndOnly ? `${SECRET}${text.slice(end)}` : text).replaceAll(KEY_BLOCK, SECRET)
}

/** @returns `text` with everything replaced that looks like a secret even without a name. */
export function maskShapes(text: string): string {
  let masked = text
  for (const [, shape, shown] of SHAPES) masked = masked.replaceAll(shape, shown)
  return masked
    .replaceAll(KEY, (whole, rest: string) =>
      isPlainName(rest.replace(/[.=/+~-]{1,8}$/, '')) ? whole : SECRET,
    )
    .replaceAll(SHORT_KEY, (whole, rest: string) =>
      looksRandom(/^[\w-]*/.exec(rest)?.[0] ?? '', { countsHex: true }) ? SECRET : whole,
    )
    .replaceAll(HEX_RUN, (run, at: number, all: string) =>
      DIGEST_LENGTHS.has(run.length) || isLabelled(all, at) ? run : SECRET,
    )
    .replaceAll(RUN, (run, at: number, all: string) =>
      looksRandom(run, { shortest: SHORTEST_IN_RUN }) && !isId(run, all, at) ? SECRET : run,
    )
    .replaceAll(BASE64_RUN, (run, at: number, all: string) =>
      looksRandom(run.replaceAll(/[+/=]/g, '')) && hasAllKinds(run) && !isId(run, all, at)
        ? SECRET
        : run,
    )
}

function isLabelled(text: string, at: number): boolean {
  return LABELLED_ID.test(text.slice(Math.max(0, at - 60), at))
}

function isId(run: string, text: string, at: number): boolean {
  return ID_BEGINNING.test(run) || isLabelled(text, at)
}

function hasAllKinds(run: string): boolean {
  return /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run)
}

/** Keeps links to Cursor's own pages, which help the user, but not their query or fragment. */
function maskUrl(url: string): string {
  const punctuation = /[).,;:!?\]]{0,4}$/.exec(url)?.[0] ?? ''
  const page = /^https:\/\/((?:[\w-]{1,40}\.){0,4}cursor\.com)((?:\/[a-z-]{1,40}){0,6}\/?)/i.exec(
    url,
  )
  const next = page === null ? undefined : url[page[0].length]
  if (page === null || !(next === undefined || /[?#.,;:)\]/\w-]/.test(next))) {
    return `<url>${punctuation}`
  }
  if (next !== undefined && !page[2] && /[\w-]/.test(next)) return `<url>${punctuation}`
  return `https://${page[1]}${page[2]}${punctuation}`
}
