/** Cursor's own install command, from cursor.com/cli. Imports nothing from Node: the page uses it. */

/** @returns a shell command; on Windows, one for PowerShell. */
export function installCommand(platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? "irm 'https://cursor.com/install?win32=true' | iex"
    : 'curl https://cursor.com/install -fsS | bash'
}
