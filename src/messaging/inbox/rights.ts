import type { Scope } from '../../identity/permissions/scopes.ts'

/** Checks whether somebody may read messages: they name customers, so those too. */
export const mayReadMessages = ({ may }: { may(scope: Scope): boolean }): boolean =>
  may('read:communications') && may('read:customers')
