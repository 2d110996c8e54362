/**
 * Which database something belongs to, which place in its log, and what its open transactions are
 * and may take.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.database;

import org.jspecify.annotations.NullMarked;
