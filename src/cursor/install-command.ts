/** How Cursor installs its CLI, as cursor.com/cli says. Free of Node, because the page shows it too. */

/** @returns the line to type: in a shell, on Windows in PowerShell. */
export function installCommand(platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? "irm 'https://cursor.com/install?win32=true' | iex"
    : 'curl https://cursor.com/install -fsS | bash'
}
