import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

let service: TestService
let companies: Company[]
before(async () => {
  service = await startTestService()
  companies = [await makeCompany(service), await makeCompany(service)]
})
after(() => service.stop())

it("reads that share a round trip return their own company's records only", async () => {
  const customers = await Promise.all(
    companies.map(({ call }, of) =>
      Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          call('customers_create', { customer_type: 'company', company_name: `Company ${of} ${i}` }),
        ),
      ),
    ),
  )
  const ids = customers.flat().map(({ id }) => String(id))
  const asks = companies.flatMap((company, of) =>
    [...ids, ...ids].map(async (id) => ({ id, of, answer: await company.owner.send('customers_get', { id }) })),
  )
  for (const { id, of, answer } of await Promise.all(asks)) {
    const own = customers[of]?.find((one) => one['id'] === id)
    if (own === undefined) assert.match(answer.text, /^not_found/)
    else assert.equal((JSON.parse(answer.text) as { company_name: string }).company_name, own['company_name'])
  }
})
