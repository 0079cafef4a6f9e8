import type { Demo } from './installation/demo_company.ts'

/**
 * Returns the text of the first start, printed once: the sign-in of the owner, a key, and the lines to connect an MCP
 * client.
 */
export const welcomeText = ({ tenant, owner, key }: Demo, baseUrl: string): string => `
A demo company was made: ${tenant.name} (${tenant.id})
  Sign in as   ${owner.email}
  Password     ${owner.password}
  User key     ${key}
These are shown once; callout key create makes more keys.

Connect an MCP client:
  claude mcp add --transport http callout ${baseUrl}/api/mcp --header "Authorization: Bearer ${key}"
or, where a client reads JSON:
  ${JSON.stringify({ mcpServers: { callout: { type: 'http', url: `${baseUrl}/api/mcp`, headers: { Authorization: `Bearer ${key}` } } } })}
`
