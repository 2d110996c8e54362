/**
 * Which database something belongs to, and which place in its log.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.database;

import org.jspecify.annotations.NullMarked;
