import { isTrustedAddress, queueMail } from '../identity/security/notices/account_mail.ts'
import { sql, type Database, type Sql } from '../platform/db/tenant.ts'
import { labelOf } from './labels.ts'
import type { HealthNews } from './check_states.ts'

/** Maximum number of operators to mail, and of mails to one operator per day. */
const [MAX_OPERATORS, MAX_MAILS_A_DAY] = [20, 20]

/** Returns the statements that mail the news to the operators; none if nobody can be mailed. */
export async function mailOperators(send: Database['send'], { wrong, right }: HealthNews): Promise<Sql[]> {
  const [operators] = await send([
    sql<{ id: string; email: string }>`select u.id, u.email from operators o join users u on u.id = o.user_id
      where ${isTrustedAddress} and ${MAX_MAILS_A_DAY} > (select count(*) from account_mails m
        where m.address = u.email and m.kind = 'health' and m.created_at > now() - interval '1 day')
      order by u.email limit ${MAX_OPERATORS}`,
  ])
  const about = {
    wrong: wrong.map(({ check, says, mend = '' }) => ({ label: labelOf(check), says, mend })),
    right: right.map(labelOf),
  }
  return operators.rows.map(({ id, email }) => queueMail({ user: id, to: email, kind: 'health', about }))
}
