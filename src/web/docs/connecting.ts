import { copyable } from '../../platform/html/parts/copyable.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { part } from '../../records/page/parts.ts'

const codeBlock = (text: string): Html => copyable(text, { isBlock: true })

/** Returns ready-to-copy configuration for common MCP clients, with this service's URL filled in. */
export function connectPage(baseUrl: string): Html {
  const address = `${baseUrl}/api/mcp`
  return html`
<header class="page-head"><h1>How to connect</h1></header>
<p class="lead">Every Model Context Protocol client connects to one address. It sends you here to sign in, and you
  choose what it can see and change.</p>
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
  'Other clients, with a key',
  html`
  <p>A program without a browser sends an API key. Create one in Settings, API keys:</p>
  ${codeBlock(JSON.stringify({ mcpServers: { callout: withKey } }, null, 2))}`,
)}`
}

/** Renders how a program calls tools, selects some of them, and limits what it can do. */
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
  <p>A client that needs only some tools selects them in the address or in headers. It can't call the others.</p>
  ${codeBlock(
    `${address}?toolsets=jobs,invoices\n${address}?readonly=1\n${address}?mine=1\nX-MCP-Toolsets: ` +
      `jobs,invoices\nX-MCP-Readonly: 1\nX-MCP-Mine: 1`,
  )}
  <p><code>mine</code> lists only the tools that the key or the app can call.</p>
  <p>All tools convert to strict schemas. If a client rejects <code>additionalProperties</code> next to a list,
    add <code>?strict=1</code>.</p>`,
)}
${part(
  'What an app can do',
  html`
  <p>You give each app None, View or Edit in nine areas of one company, never more than you have yourself.
    In Settings, Connected apps, you can see, reduce or revoke its access. Changes apply from the app's next
    request.</p>`,
)}`
