import { backupCommands } from './backup.ts'
import { clientCommands } from './client.ts'
import { UsageError, command, type Command } from './command.ts'
import { companyProviderCommands } from './company_provider.ts'
import { dataKeyCommand } from './data_key.ts'
import { demoCommand } from './demo.ts'
import { configCommand } from './config_command.ts'
import { doctorCommand } from './doctor.ts'
import { erasureCommands } from './erasures.ts'
import { grantCommands } from './grant.ts'
import { keyCommands } from './key.ts'
import { mailCommands } from './mail.ts'
import { memberCommands } from './member.ts'
import { memberLinkCommand } from './member_link.ts'
import { migrateCommand } from './migrate.ts'
import { operatorCommands } from './operator.ts'
import { paymentAccountCommands } from './payment_account.ts'
import { securityCommands } from './security.ts'
import { signingKeyCommands } from './signing_key.ts'
import { mailboxCommands, numberCommands } from './place.ts'
import { tenantCommands } from './tenant.ts'
import { tenantFileCommands } from './tenant_file.ts'

const serve = command({
  name: 'serve',
  description: 'Runs the service until it is stopped.',
  options: {},
  run: () => {
    throw new UsageError('serve takes no options and is started with npm start, or with callout serve', 'callout serve')
  },
})

/** Lists commands in the order of the overview. */
export const commands: readonly Command[] = [
  serve,
  migrateCommand,
  demoCommand,
  ...tenantCommands,
  ...tenantFileCommands,
  ...memberCommands,
  memberLinkCommand,
  ...companyProviderCommands,
  ...keyCommands,
  ...numberCommands,
  ...mailboxCommands,
  ...paymentAccountCommands,
  ...operatorCommands,
  ...mailCommands,
  ...securityCommands,
  ...clientCommands,
  ...grantCommands,
  ...signingKeyCommands,
  dataKeyCommand,
  ...backupCommands,
  ...erasureCommands,
  doctorCommand,
  configCommand,
]
