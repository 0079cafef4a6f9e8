import { readFile } from 'node:fs/promises'
import { changeCompany, findCompany, markAsDemo, type CompanyDraft } from '../../identity/companies/company.ts'
import { writeTenant, type Database } from '../../platform/db/tenant.ts'
import { setLogo } from '../../files/logo.ts'

/** Sets a demo company's letterhead and logo, and marks it as a demo. */
export async function makeLetterhead(
  database: Database,
  { tenant, owner }: { tenant: string; owner: string },
): Promise<void> {
  const [company, logo] = await Promise.all([
    findCompany(database, tenant),
    readFile(new URL('logo.png', import.meta.url)),
    writeTenant(database, { tenant }, markAsDemo),
  ])
  const texts = Object.fromEntries(Object.entries(company).map(([name, value]) => [name, String(value ?? '')]))
  await changeCompany(database, tenant, { ...(texts as CompanyDraft), ...LETTERHEAD }, { user: owner })
  await setLogo(database, tenant, logo, { user: owner })
}

const LETTERHEAD = {
  address: '2104 S Lamar Blvd\nAustin, TX 78704',
  phone: '(512) 555-0100',
  email: 'office@bartonridge.example',
  website: 'bartonridge.example',
  license_number: 'M-41207',
  how_to_pay:
    'Check to Barton Ridge Plumbing & Air, or by card: call the office. Please write the invoice number on it.',
  document_footer:
    'Thank you for calling Barton Ridge. ' +
    'Our work is guaranteed for one year, ' +
    'parts as their makers say.\nRegulated by the Texas State Board of Plumbing Examiners, tsbpe.texas.gov.',
} satisfies Partial<CompanyDraft>
