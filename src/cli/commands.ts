import { UsageError, command, type Command } from './command.ts'

const serve = command({
  name: 'serve',
  description: 'Runs the service until it is stopped.',
  options: {},
  run: () => {
    throw new UsageError('serve takes no options; start it with npm start or callout serve', 'callout serve')
  },
})

/** Commands by the first word of their names, in the order of the overview. Each group is imported on demand. */
export const groups: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [serve],
  migrate: async () => [(await import('./installation/migrate.ts')).migrateCommand],
  upgrade: async () => [(await import('./upgrade/upgrade.ts')).upgradeCommand],
  demo: async () => [(await import('./installation/demo.ts')).demoCommand],
  exam: async () => [(await import('./installation/exam.ts')).examCommand],
  tenant: async () => [
    ...(await import('./installation/tenant.ts')).tenantCommands,
    ...(await import('./installation/tenant_file.ts')).tenantFileCommands,
  ],
  member: async () => [
    ...(await import('./access/member.ts')).memberCommands,
    (await import('./access/member_link.ts')).memberLinkCommand,
  ],
  'company-provider': async () => (await import('./access/company_provider.ts')).companyProviderCommands,
  key: async () => (await import('./access/key.ts')).keyCommands,
  number: async () => (await import('./installation/channel.ts')).numberCommands,
  mailbox: async () => (await import('./installation/channel.ts')).mailboxCommands,
  'payment-account': async () => (await import('./installation/payment_account.ts')).paymentAccountCommands,
  operator: async () => (await import('./access/operator.ts')).operatorCommands,
  mail: async () => (await import('./installation/mail.ts')).mailCommands,
  security: async () => (await import('./access/security.ts')).securityCommands,
  client: async () => (await import('./access/client.ts')).clientCommands,
  grant: async () => (await import('./access/grant.ts')).grantCommands,
  'signing-key': async () => (await import('./access/signing_key.ts')).signingKeyCommands,
  'data-key': async () => [(await import('./installation/data_key.ts')).dataKeyCommand],
  backup: async () => [(await import('./installation/backup.ts')).backupCommand],
  restore: async () => [(await import('./installation/restore.ts')).restoreCommand],
  erasures: async () => (await import('./installation/erasures.ts')).erasureCommands,
  doctor: async () => [(await import('./doctor/doctor.ts')).doctorCommand],
  config: async () => [(await import('./installation/config_command.ts')).configCommand],
}

/** Returns the commands of the group a command line names, or all commands if it names none. */
export async function commandsFor(args: readonly string[]): Promise<readonly Command[]> {
  const word = args.find((arg) => !arg.startsWith('-')) ?? ''
  const loadGroup = Object.hasOwn(groups, word) ? groups[word] : undefined
  const loaders = loadGroup === undefined ? Object.values(groups) : [loadGroup]
  return (await Promise.all(loaders.map((load) => load()))).flat()
}
