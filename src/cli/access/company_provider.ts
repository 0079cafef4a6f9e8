import { companyProvider, setCompanyProviderOn } from '../../identity/providers/company/company_provider.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { alignColumns } from '../columns.ts'
import { command } from '../command.ts'
import { withCompany } from '../with_database.ts'

const tenant = { value: '<id>', required: true, description: 'Id of the company' } as const

/** Commands for companies' own sign-in providers, in case one locks people out. */
export const companyProviderCommands = [
  command({
    name: 'company-provider show',
    description: "Shows a company's own sign-in provider, without its secret.",
    options: { tenant },
    run: ({ tenant }) =>
      withCompany(tenant, async (database, { id, name }) => {
        const stored = await companyProvider(database, id)
        if (stored === null) throw notFound('provider')
        const { tried: _, version: __, ...provider } = stored
        return {
          json: { tenant_id: id, ...provider },
          text: alignColumns([
            ['Company', name],
            ['Issuer', provider.issuer],
            ['Client', provider.client_id],
            ['On since', provider.on_since?.slice(0, 10) ?? 'off'],
            ['Required since', provider.required_since?.slice(0, 10) ?? 'no'],
          ]),
        }
      }),
  }),
  command({
    name: 'company-provider off',
    description:
      "Turns off a company's own sign-in provider. Signs out everyone who used it; they then use their own accounts.",
    options: { tenant },
    run: ({ tenant }) =>
      withCompany(tenant, async (database, { id, name }) => {
        const { issuer, on_since } = await setCompanyProviderOn(database, id, false, null)
        return {
          json: { tenant_id: id, issuer, was_on: on_since !== null },
          text: on_since === null ? `${issuer} is already off for ${name}` : `${issuer} is now off for ${name}`,
        }
      }),
  }),
]
