import { copyable } from '../../platform/html/parts/copyable.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { part } from '../../records/page/parts.ts'

const codeBlock = (text: string): Html => copyable(text, { isBlock: true })

/** Returns ready-to-copy configuration for common MCP clients, with this service's URL filled in. */
export function connectPage(baseUrl: string): Html {
  const address = `${baseUrl}/api/mcp`
  return html`
<header class="page-head"><h1>How to connect</h1></header>
<p class="lead">Any client of the Model Context Protocol connects to one address. It brings you here to sign in, and you
  choose what it may see and change.</p>
${codeBlock(address)}
<div class="parts">
<div class="column">
${assistantsAndEditors(address)}
</div>
<div class="column">
${otherClients(address)}
</div>
</div>
${usageHtml(address)}`
}

const assistantsAndEditors = (address: string): Html => html`${part(
  'Claude',
  html`
  <p>In Settings, under Connectors, add a custom connector with the address above. On the command line:</p>
  ${codeBlock(`claude mcp add --transport http callout ${address}`)}
  <p>Then <code>/mcp</code> signs you in.</p>`,
)}
${part(
  'Cursor',
  html`
  <p>In <code>~/.cursor/mcp.json</code>:</p>
  ${codeBlock(JSON.stringify({ mcpServers: { callout: { url: address } } }, null, 2))}`,
)}
${part(
  'Codex',
  html`
  <p>In <code>~/.codex/config.toml</code>, then <code>codex mcp login callout</code>:</p>
  ${codeBlock(`[mcp_servers.callout]\nurl = "${address}"`)}`,
)}`

function otherClients(address: string): Html {
  const withKey = { type: 'http', url: address, headers: { Authorization: 'Bearer YOUR_KEY' } }
  return html`${part(
    'ChatGPT',
    html`
  <p>
    In Settings, under Connectors, turn on developer mode, add a connector with the address above and choose OAuth.
  </p>`,
  )}
${part(
  'VS Code',
  html`
  <p>In <code>.vscode/mcp.json</code>:</p>
  ${codeBlock(JSON.stringify({ servers: { callout: { type: 'http', url: address } } }, null, 2))}`,
)}
${part(
  'Any other, with a key',
  html`
  <p>A program without a browser sends an API key, which you make in Settings, API keys:</p>
  ${codeBlock(JSON.stringify({ mcpServers: { callout: withKey } }, null, 2))}`,
)}`
}

/** Renders how a program calls tools, selects some of them, and limits what it may do. */
const usageHtml = (address: string): Html => html`${part(
  'Try it from a terminal',
  codeBlock(`curl ${address} \\
  -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"customers_search","arguments":{"query":"0143"}}}'`),
)}
${part(
  'Fewer tools',
  html`
  <p>A client that needs some of the tools alone asks for them in the address or in headers. What is left out can't be
    called either.</p>
  ${codeBlock(
    `${address}?toolsets=jobs,invoices\n${address}?readonly=1\n${address}?mine=1\nX-MCP-Toolsets: ` +
      `jobs,invoices\nX-MCP-Readonly: 1\nX-MCP-Mine: 1`,
  )}
  <p><code>mine</code> lists only the tools that the key or the app may call.</p>
  <p>All tools convert to strict schemas. A client that refuses <code>additionalProperties</code> beside a list adds
    <code>?strict=1</code>.</p>`,
)}
${part(
  'What an app may do',
  html`
  <p>You give each app None, View or Edit in nine areas, never more than you may do yourself, and for one company at a
    time.
    Settings, Connected apps, shows what was given, narrows it, or takes it back; that counts from the app's next
    request on.</p>`,
)}`
