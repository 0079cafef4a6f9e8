import type { Books } from '../../../books/books.ts'
import { BOOKS_TASK } from '../../../books/connection/connection.ts'
import { runBooks } from '../../../books/run_books.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { every } from '../../schedule.ts'

/** Returns the task that sends new and changed records to accounting programs, in a lane of its own. */
export const booksTask = (books: Books, baseUrl: string): PeriodicTask => ({
  name: BOOKS_TASK,
  of: 'tenant',
  lane: 'books',
  next: every({ minutes: 5 }),
  run: (run) => runBooks(run, books, baseUrl),
})
