import type { MemberContext } from '../../member_context.ts'

/** Checks whether a member may email statements, which contain invoices and go to customers' addresses. */
export const maySendStatements = ({ may }: Pick<MemberContext, 'may'>): boolean =>
  may('write:invoices') && may('read:invoices') && may('read:customers')
