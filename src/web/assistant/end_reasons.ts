import type { EndReason } from '../../assistant/models/failures.ts'
import { say } from '../../platform/i18n/say.ts'

/** Returns why an answer ended early, and what to do. */
export const endReasonText = (reason: EndReason): string => END_REASONS[reason]()

const END_REASONS: Readonly<Record<EndReason, () => string>> = {
  stopped: () => say`You stopped the answer. Anything already done is kept.`,
  access: () => say`Your access to this company changed, so the assistant stopped.`,
  steps: () => say`This took more steps than one answer can have. Say “continue”, or ask for less at a time.`,
  conversation_limit: () => say`This conversation has reached its limit. Start a new one.`,
  day_limit: () => say`Your company has used up the assistant’s limit for today. Try again tomorrow.`,
  key: () => say`The model’s provider doesn’t accept the API key. An owner can change it in the settings.`,
  model: () => say`The provider has no such model. An owner can change it in the settings.`,
  busy: () => say`The model’s provider is busy. Try again in a minute.`,
  timeout: () => say`The model’s provider took too long to answer. Try again.`,
  outage: () => say`The model’s provider can’t be reached. Everything else works as usual; try again later.`,
  request: () => say`The model’s provider refused the request. Start a new conversation, or try another model.`,
  declined: () => say`The model declined to answer this.`,
  cut: () => say`The answer was too long and was cut off. Say “continue”.`,
  internal: () => say`Something went wrong. Anything already done is kept. Try again.`,
}
