/**
 * Tables in other systems' files, by an engine that is loaded when it is asked for.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.tables;

import org.jspecify.annotations.NullMarked;
