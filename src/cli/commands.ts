import { backupCommand } from './installation/backup.ts'
import { restoreCommand } from './installation/restore.ts'
import { clientCommands } from './access/client.ts'
import { UsageError, command, type Command } from './command.ts'
import { companyProviderCommands } from './access/company_provider.ts'
import { dataKeyCommand } from './installation/data_key.ts'
import { demoCommand } from './installation/demo.ts'
import { configCommand } from './installation/config_command.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { examCommand } from './installation/exam.ts'
import { erasureCommands } from './installation/erasures.ts'
import { grantCommands } from './access/grant.ts'
import { keyCommands } from './access/key.ts'
import { mailCommands } from './installation/mail.ts'
import { memberCommands } from './access/member.ts'
import { memberLinkCommand } from './access/member_link.ts'
import { migrateCommand } from './installation/migrate.ts'
import { operatorCommands } from './access/operator.ts'
import { paymentAccountCommands } from './installation/payment_account.ts'
import { securityCommands } from './access/security.ts'
import { signingKeyCommands } from './access/signing_key.ts'
import { mailboxCommands, numberCommands } from './installation/channel.ts'
import { tenantCommands } from './installation/tenant.ts'
import { tenantFileCommands } from './installation/tenant_file.ts'
import { upgradeCommand } from './upgrade/upgrade.ts'

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
  upgradeCommand,
  demoCommand,
  examCommand,
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
  backupCommand,
  restoreCommand,
  ...erasureCommands,
  doctorCommand,
  configCommand,
]
