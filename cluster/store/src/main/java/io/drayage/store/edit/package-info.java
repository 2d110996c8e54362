/**
 * The changes of an open transaction, before they become a cargo.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.store.edit;

import org.jspecify.annotations.NullMarked;
