import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('jobs', {
  cancelled: {
    agent: "the job is cancelled and can't be changed; create a new one with jobs_create",
    en: 'This job is canceled, so it can’t be changed. Create a new job instead.',
    es: 'Este trabajo está cancelado y ya no se puede cambiar. Cree un trabajo nuevo.',
  },
  unscheduledWithTime: {
    agent: "unscheduled clears the schedule and can't be combined with {field}; send one of the two",
    en: 'An unscheduled job has no date or time. Clear them, or choose another status.',
    es: 'Un trabajo sin programar no lleva fecha ni hora. Bórrelas o elija otro estado.',
  },
  scheduledWithoutTime: {
    agent: 'scheduled needs {start}; send both',
    en: 'Enter a start date and time to schedule this job.',
    es: 'Escriba la fecha y la hora de inicio para programar este trabajo.',
  },
  aliasDiffers: {
    agent: 'is an alias of seriesId and differs from it; send one of them',
    en: 'Choose only one recurring job.',
    es: 'Elija un solo trabajo recurrente.',
  },
  assigneeAndUnassigned: {
    agent: "and {unassigned} can't be combined; send one of them",
    en: 'Choose either a technician or unassigned jobs, not both.',
    es: 'Elija un técnico o los trabajos sin asignar, no ambas cosas.',
  },
  sortWithChanges: {
    agent: "can't be combined with updated_since, which lists by updated_at; leave one out",
    en: 'A list of recent changes can’t be sorted. Remove the sort order.',
    es: 'Una lista de cambios recientes no se puede ordenar. Quite el orden.',
  },
  unbilledRemoved: {
    agent: "can't be combined with include_removed: removed jobs are never unbilled; leave one out",
    en: 'Deleted jobs can’t be unbilled. Remove one of the two filters.',
    es: 'Los trabajos eliminados no pueden estar sin facturar. Quite uno de los dos filtros.',
  },
  oneVisitOnly: {
    agent: 'can be changed for one visit only',
    en: 'You can change this for one visit only. Choose “This visit”.',
    es: 'Esto solo se puede cambiar en una visita. Elija «Esta visita».',
  },
  tooManyLines: {
    agent: 'the job has {max} lines, which is the maximum; remove one first',
    en: 'This job has {max} lines, which is the limit. Remove a line before you add another.',
    es: 'Este trabajo tiene {max} líneas, que es el máximo. Quite una línea antes de agregar otra.',
  },
  tooManyFiles: {
    agent: 'the job has {max} files, which is the maximum; delete one first',
    en: 'This job has {max} files, which is the limit. Delete one before you add another.',
    es: 'Este trabajo tiene {max} archivos, que es el máximo. Elimine uno antes de agregar otro.',
  },
})
