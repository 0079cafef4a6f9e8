import type { Scope } from '../../identity/permissions/scopes.ts'

type Rights = { may(scope: Scope): boolean }

/** Checks whether somebody may read messages: they name customers, so those too. */
export const mayReadMessages = ({ may }: Rights): boolean => may('read:communications') && may('read:customers')

/** Checks whether somebody may write messages, and decide on them: what is decided changes customers. */
export const mayWriteMessages = (by: Rights): boolean =>
  mayReadMessages(by) && by.may('write:communications') && by.may('write:customers')
