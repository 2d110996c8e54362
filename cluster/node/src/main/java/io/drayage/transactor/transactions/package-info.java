/**
 * Transactions of several workers during a term as primary: what is open, its fragments, and its
 * end.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.transactor.transactions;

import org.jspecify.annotations.NullMarked;
