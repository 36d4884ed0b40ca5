/**
 * Tells words, names and numbers, which explain a failure, from random characters, which may be a
 * secret. Judges a value by its looks alone; the callers know where it stands.
 */

/** Words that say what is wrong with a secret or what kind it is; they are never secrets themselves. */
const EXPLAINING = new Set(
  `a about absent access accepted account admin after agent all already always an and any api app are as at auth
  authentication authenticated authorization authorized bad base64 be been before bearer basic but by can cannot
  changed check cli client code command config configured could credential credentials cursor database default
  denied deploy did disabled does done email empty enabled encrypted env environment error err exceeded exist exists
  expired expires expiry failed failure false file flag for found from generated get given github has have header
  hex hidden id if ignored in incorrect inherit input internal invalid is it jwt key keychain keyring later length
  limit loaded locked login malformed masked match matched may method mismatch missing mode must my na name
  needed needs new nil no none not null number oauth ok old omitted on only optional option or output param parameter
  pass passed passphrase passwd password permission placeholder please present prompt provided pwd read redacted
  refresh refreshed refused rejected removed renewed required requires reset revoked rotated saml secret secrets
  see server service session set short should sso stale stored string strong temporary test than that the this
  to token tokens too true type unauthenticated unauthorized undefined unexpected unknown unset unsupported
  unverified update updated url use used user username valid value variable verified wait was weak when will with
  without wrong you your`.split(/\s+/),
)

const NUMBER = /^[-+]?\d{1,4}(?:\.\d{1,4})?(?:ms|s|m|h|d|[kmg]b?|%)?$/i

/** Chinese, Japanese and Korean: nobody writes a secret in these scripts. */
const OTHER_SCRIPT = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]+$/u

/** @returns whether `value` is a short number, or a name with an explaining word in it. */
export function isExplanation(value: string): boolean {
  if (NUMBER.test(value) || OTHER_SCRIPT.test(value)) return true
  const words = wordsOf(value)
  // One letter explains nothing: `a/b` is a value.
  return (
    words !== undefined &&
    words.some((word) => word.length > 1 && EXPLAINING.has(word.toLowerCase()))
  )
}

/** Variable names, error codes, versions, dates and package paths: not words, but common in sentences. */
const TECHNICAL_TERM =
  /^(?:[A-Z]{1,16}(?:_[A-Z]{1,16}){1,6}|[A-Z]{1,9}[-_]?\d{1,6}|(?:HTTP|ERR|E)[-_\w]{0,40}|0x[\da-f]{1,8}|v?\d{1,4}(?:\.\d{1,6}){1,3}(?:-[\w.]{1,20})?|\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d{1,2}:\d\d(?::\d\d)?|@?[\w./-]{1,80}@[~^]?v?\d[\w.-]*)$/

/** @returns whether a sentence could continue with `value`. */
export function readsAsProse(value: string): boolean {
  const inner = value.replace(/^[("'[]{1,3}/, '').replace(/[)"'\].,;:!?…]{1,6}$/, '')
  if (inner === '' || isExplanation(inner) || TECHNICAL_TERM.test(inner) || isPath(inner))
    return true
  const words = wordsOf(inner)
  return words !== undefined && (words.length === 1 || !/[A-Za-z]/.test(inner))
}

function isPath(value: string): boolean {
  return (
    /^(?:\.{0,2}|~|[a-z]:|<workspace>)[\\/][\w.@<>\\/ -]{2,}$/i.test(value) &&
    !value.split(/[\\/.]/).some((part) => looksRandom(part))
  )
}

const LONGEST_WORD = 16
/** Longest word in a plain name; longer runs of letters come from keys. */
const LONGEST_PART = 14

/** @returns the words of a name in any letter case, or `undefined` if it holds anything else. */
function wordsOf(value: string): string[] | undefined {
  if (value.length > 120 || !/^[\p{L}\p{M}_.'’ /-]+$/u.test(value)) return undefined
  const words = value
    .replaceAll(/([a-z])(?=[A-Z][a-z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    .split(/[_.'’ /-]+/)
    .filter((word) => word !== '')
  const areWords = words.every(
    (word) =>
      word.length <= LONGEST_WORD &&
      (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(word) || !/[A-Za-z]/.test(word)),
  )
  return areWords ? words : undefined
}

/** Shorter runs are too short to judge. */
const SHORTEST_RANDOM = 10
/**
 * How often neighbours are of different kinds (capital, small letter, digit): about half the time in
 * random text, a fifth in names. Long runs vary less, so a lower share is proof enough.
 */
const CHANGES_BY_CHANCE = 0.33
const CHANGES_IN_LONG = 0.25
const LONG_RUN = 20
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const HEX = /^(?:0x)?(?:[\da-f]+|[\dA-F]+)$/

/**
 * @param how.countsHex whether hexadecimal numbers count; most of them are commits or digests.
 * @param how.shortest shortest run of letters and digits to judge.
 * @returns whether some run of letters and digits in `value` looks random.
 */
export function looksRandom(
  value: string,
  {
    countsHex = false,
    shortest = SHORTEST_RANDOM,
  }: { countsHex?: boolean; shortest?: number } = {},
): boolean {
  if (UUID.test(value) || TECHNICAL_TERM.test(value)) return false
  return value.split(/[^A-Za-z0-9]+/).some((run) => {
    if (run.length < shortest || !/\d/.test(run) || !/[A-Za-z]/.test(run)) return false
    if (HEX.test(run)) return countsHex && run.length >= 16
    const least = run.length < LONG_RUN ? CHANGES_BY_CHANCE : CHANGES_IN_LONG
    return changesOf(run) >= least * (run.length - 1)
  })
}

/** A capital and the small letters after it count as one kind, as in a name. */
function changesOf(run: string): number {
  return run.replaceAll(/[A-Z]?[a-z]+|[A-Z]+|\d+/g, '.').length - 1
}

/** @returns whether each part of `value` could be a word, a number, or both (`x64`, `7b`, `20241022`). */
export function isPlainName(value: string): boolean {
  return value
    .split(/[^A-Za-z0-9]+/)
    .every(
      (part) =>
        part.length <= LONGEST_PART &&
        /^(?:(?:[A-Z]?[a-z]+|[A-Z]+|(?:[A-Z]?[a-z]{2,}){1,4})\d{0,4}|\d{0,8}|v?\d{1,4}[a-z]{1,2})$/.test(
          part,
        ),
    )
}
