import { alignColumns } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

export const demoCommand = command({
  name: 'demo',
  description: 'Creates a demo company with realistic records, and shows how to sign in.',
  options: {},
  run: async () => {
    // Imported here because no other command needs the tools.
    const { makeDemo } = await import('./demo_company.ts')
    const { tenant, owner, key } = await withDatabase(({ database }, config) => makeDemo(database, config))
    const rows = [
      ['Company', tenant.name],
      ['Id', tenant.id],
      ['Owner', owner.email],
      ['Password', owner.password],
      ['Key', key],
    ]
    return {
      json: { tenant_id: tenant.id, name: tenant.name, owner, key },
      text: `${alignColumns(rows)}\nThe password and key are shown only once.`,
    }
  },
})
