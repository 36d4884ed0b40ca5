// Makes control characters, terminal escapes and direction marks visible, so that they cannot change
// how a page shows the text. Only for display; the copy button copies the original.

// eslint-disable-next-line no-control-regex -- matching control characters is the point
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function harmless(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROL, (character) => {
      const code = character.charCodeAt(0)
      if (code < 0x20) return String.fromCharCode(0x2400 + code)
      return code === 0x7f ? '\u2421' : `\u27e8${hex(code)}\u27e9`
    })
    .replaceAll(DIRECTION, (mark) => `\u27e8${hex(mark.charCodeAt(0))}\u27e9`)
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
