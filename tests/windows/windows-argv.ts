// How a Windows program splits its command line, written from the documented rules of the C runtime
// (argument parsing since 2008) and independent of the code under test, which only joins. A real
// child's own view is compared in command-line.test.ts.

const isBlank = (unit: string | undefined): boolean => unit === ' ' || unit === '\t'

/**
 * The arguments in a command line, the program first.
 *
 * The program's name ends at the first blank outside quotes, and a backslash is nothing special in
 * it. In the arguments after it, `2n` backslashes before a quote are `n` backslashes and the quote
 * opens or closes a quoted part; `2n + 1` are `n` backslashes and a quote as such; a quote doubled
 * inside a quoted part is one as such; other backslashes are themselves.
 */
export function splitCommandLine(line: string): string[] {
  const { name, end } = programName(line)
  const argv = [name]
  let at = end
  for (;;) {
    while (isBlank(line[at])) at += 1
    if (at >= line.length) return argv
    let argument = ''
    let quoted = false
    while (at < line.length && (quoted || !isBlank(line[at]))) {
      const backslashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0
      at += backslashes
      if (line[at] !== '"') {
        argument += '\\'.repeat(backslashes)
        if (at < line.length && (quoted || !isBlank(line[at]))) {
          argument += line[at]
          at += 1
        }
        continue
      }
      argument += '\\'.repeat(Math.floor(backslashes / 2))
      if (backslashes % 2 === 1) {
        argument += '"'
      } else if (quoted && line[at + 1] === '"') {
        argument += '"'
        at += 1
      } else {
        quoted = !quoted
      }
      at += 1
    }
    argv.push(argument)
  }
}

function programName(line: string): { name: string; end: number } {
  let name = ''
  let quoted = false
  let at = 0
  for (; at < line.length && (quoted || !isBlank(line[at])); at++) {
    if (line[at] === '"') quoted = !quoted
    else name += line[at]
  }
  return { name, end: at }
}
