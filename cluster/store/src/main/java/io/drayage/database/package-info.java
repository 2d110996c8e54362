/**
 * Which database something belongs to, which place in its log, which transactions it knows, and
 * what open ones may take.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.database;

import org.jspecify.annotations.NullMarked;
