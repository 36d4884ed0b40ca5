// The card's look, in the page's own colour tokens, so that it follows the theme. Every class name
// begins with `dsh-cursor-`, since a page has one name space for all plugins. With unsaved changes
// the buttons that save them stay in sight: their shadow covers the room that the page's panel
// leaves under them, and a control that gets the focus is scrolled to above them.

export const STYLES = `
.dsh-cursor-card { --dsh-cursor-bg: var(--dsw-alias-bg-layer-3); list-style: none; border: 1px solid var(--dsw-alias-border-l2); border-radius: 12px; background: var(--dsh-cursor-bg); color: var(--dsw-alias-label-primary); font-size: 13px; line-height: 1.5; overflow: clip; transition: border-color .16s; }
.dsh-cursor-card:hover { border-color: var(--dsw-alias-label-dimmed); }
.dsh-cursor-card[data-open] { --dsh-cursor-bg: var(--dsw-alias-bg-layer-2); border-color: var(--dsw-alias-label-dimmed); }
.dsh-cursor-card button, .dsh-cursor-card input { font: inherit; color: inherit; }
.dsh-cursor-card :focus-visible { outline: 2px solid var(--dsw-alias-brand-primary); outline-offset: 1px; }
.dsh-cursor-head { display: flex; align-items: center; gap: 12px; width: 100%; padding: 14px 16px; border: 0; border-radius: 12px; background: none; text-align: left; cursor: pointer; }
.dsh-cursor-card .dsh-cursor-head:focus-visible { outline-offset: -2px; }
.dsh-cursor-about { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 4px; }
.dsh-cursor-name { font-size: 15px; font-weight: 600; line-height: 1.4; }
.dsh-cursor-muted { color: var(--dsw-alias-label-secondary); font-size: 12px; margin: 0; overflow-wrap: anywhere; }
.dsh-cursor-about .dsh-cursor-muted { color: var(--dsw-alias-label-tertiary); font-size: 13px; }
.dsh-cursor-badge { flex: none; border-radius: 999px; padding: 1px 8px; font-size: 11px; font-weight: 500; white-space: nowrap; background: var(--dsw-alias-bg-module-platform); color: var(--dsw-alias-label-secondary); }
.dsh-cursor-chevron { flex: none; width: 6px; height: 6px; margin: 0 4px; border: solid var(--dsw-alias-label-tertiary); border-width: 0 1.2px 1.2px 0; transform: translateY(-2px) rotate(45deg); transition: transform .16s; }
.dsh-cursor-card[data-open] .dsh-cursor-chevron { transform: translateY(2px) rotate(225deg); }
.dsh-cursor-body { margin: 0 16px; }
.dsh-cursor-part { border: 0; border-top: 1px solid var(--dsw-alias-border-l2); margin: 0; padding: 12px 0; display: flex; flex-direction: column; gap: 8px; min-width: 0; }
.dsh-cursor-part :is(input, button) { scroll-margin-bottom: 120px; }
.dsh-cursor-title { display: flex; align-items: center; gap: 8px; font-weight: 500; }
.dsh-cursor-title > :first-child { flex: 1; }
.dsh-cursor-title > .dsh-cursor-muted { font-weight: 400; }
.dsh-cursor-card .dsh-cursor-link { border: 0; background: none; padding: 0; font-size: 12px; color: var(--dsw-alias-label-secondary); text-decoration: underline; text-underline-offset: 2px; cursor: pointer; }
.dsh-cursor-rows { display: flex; flex-direction: column; gap: 4px; }
.dsh-cursor-row { display: grid; grid-template-columns: 8px 64px 1fr; gap: 8px; align-items: baseline; }
.dsh-cursor-dot { width: 8px; height: 8px; border-radius: 50%; background: var(--dsw-alias-label-dimmed); }
.dsh-cursor-dot[data-state=ok] { background: var(--dsw-alias-state-success-primary); }
.dsh-cursor-dot[data-state=warning] { border-radius: 2px; background: var(--dsw-alias-state-warn-primary); }
.dsh-cursor-dot[data-state=failed] { border-radius: 0; background: var(--dsw-alias-state-error-primary); }
.dsh-cursor-detail { min-width: 0; overflow-wrap: anywhere; }
.dsh-cursor-place { display: block; }
.dsh-cursor-card .dsh-cursor-button { flex: none; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; padding: 5px 14px; background: none; cursor: pointer; color: var(--dsw-alias-label-secondary); }
.dsh-cursor-card .dsh-cursor-button:hover:not([aria-disabled=true], [data-main]) { color: var(--dsw-alias-label-primary); border-color: var(--dsw-alias-label-dimmed); }
.dsh-cursor-card .dsh-cursor-button[data-main] { background: var(--dsw-alias-label-primary); color: var(--dsw-alias-bg-layer-3); border-color: transparent; }
.dsh-cursor-card .dsh-cursor-button[aria-disabled=true] { opacity: .4; cursor: default; }
.dsh-cursor-buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.dsh-cursor-input { height: 34px; box-sizing: border-box; min-width: 0; padding: 0 12px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: var(--dsw-alias-bg-layer-3); }
.dsh-cursor-input[aria-invalid=true] { border-color: var(--dsw-alias-state-error-primary); }
.dsh-cursor-list { padding: 4px; max-height: 168px; overflow-y: auto; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: var(--dsw-alias-bg-layer-3); }
.dsh-cursor-modes { display: flex; flex-direction: column; margin: 0 -8px; }
.dsh-cursor-option { display: flex; align-items: baseline; gap: 8px; padding: 3px 8px; border-radius: 6px; cursor: pointer; }
.dsh-cursor-option:hover, .dsh-cursor-option:has([type=radio]:checked) { background: color-mix(in srgb, var(--dsw-alias-label-primary) 6%, transparent); }
.dsh-cursor-option > input { flex: none; margin: 0; align-self: center; accent-color: var(--dsw-alias-label-primary); }
.dsh-cursor-option > code { font-family: var(--ds-font-family-code, monospace); font-size: 12px; flex: none; }
.dsh-cursor-modes .dsh-cursor-option > code { width: 5ch; }
.dsh-cursor-option[data-off] { opacity: .5; cursor: default; }
.dsh-cursor-lone { margin: 0 -8px; }
.dsh-cursor-limits { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; }
.dsh-cursor-limits > label { display: flex; flex-direction: column; gap: 4px; min-width: 0; }
.dsh-cursor-foot { display: flex; align-items: center; gap: 8px; margin: 0 -16px; padding: 12px 16px; border-top: 1px solid var(--dsw-alias-border-l2); background: var(--dsh-cursor-bg); }
.dsh-cursor-foot[data-stuck] { position: sticky; bottom: 0; box-shadow: 0 24px 0 var(--dsh-cursor-bg); }
.dsh-cursor-note { flex: 1; min-width: 0; margin: 0; font-size: 12px; color: var(--dsw-alias-label-secondary); overflow-wrap: anywhere; }
.dsh-cursor-note[data-failed] { color: var(--dsw-alias-state-error-primary); }
`
