/**
 * Which database something belongs to, what tables it begins with, which place in its log, which
 * transactions it knows, what open ones may take, and how its snapshots are loaded.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.database;

import org.jspecify.annotations.NullMarked;
