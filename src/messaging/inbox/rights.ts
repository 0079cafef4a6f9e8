import type { Scope } from '../../identity/permissions/scopes.ts'

type Rights = { may(scope: Scope): boolean }

/** Checks the right to read messages. Messages name customers, so it takes both scopes. */
export const mayReadMessages = ({ may }: Rights): boolean => may('read:communications') && may('read:customers')

/** Checks the right to write messages and decide on them. Decisions change customers, so it takes those scopes too. */
export const mayWriteMessages = (by: Rights): boolean =>
  mayReadMessages(by) && by.may('write:communications') && by.may('write:customers')
