/**
 * The files that nodes make: who may read them, and whether their names survive a crash.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.files;

import org.jspecify.annotations.NullMarked;
