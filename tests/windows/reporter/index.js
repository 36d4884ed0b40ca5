// A child that prints its command line as a JSON object: as Windows has it, as Windows' own function
// splits it, and as Node gives it to a program. It judges nothing.
import { createRequire } from 'node:module'

// The one package with native calls here is a dependency of the host's subprocess service.
const own = createRequire(import.meta.url)
const service = own.resolve('@deepseek-ai/dsh-subprocess-local/package.json')
const koffi = createRequire(service)('koffi')

const kernel = koffi.load('kernel32.dll')
const shell = koffi.load('shell32.dll')
const commandLine = kernel.func('str16 __stdcall GetCommandLineW()')
const split = shell.func('void * __stdcall CommandLineToArgvW(str16 line, _Out_ int *count)')

const line = commandLine()
const count = [0]
const pointers = split(line, count)

process.stdout.write(
  JSON.stringify({
    line,
    byWindows: koffi.decode(pointers, koffi.array('str16', count[0], 'Array')),
    byNode: process.argv.slice(2),
  }),
)
