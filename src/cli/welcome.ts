import { programCommand } from '../platform/config/program_command.ts'
import type { Demo } from './installation/demo_company.ts'

/**
 * Returns the text of the first start, printed once: the sign-in of the owner, a key, and the lines to connect an MCP
 * client.
 */
export const welcomeText = ({ tenant, owner, key }: Demo, baseUrl: string): string => `
Created a demo company: ${tenant.name} (${tenant.id})
  Sign in as   ${owner.email}
  Password     ${owner.password}
  User key     ${key}
These are shown only once. To create more keys: ${programCommand()} key create

Connect an MCP client:
  claude mcp add --transport http callout ${baseUrl}/api/mcp --header "Authorization: Bearer ${key}"
or, for a client that reads JSON:
  ${JSON.stringify({ mcpServers: { callout: { type: 'http', url: `${baseUrl}/api/mcp`, headers: { Authorization: `Bearer ${key}` } } } })}
`
