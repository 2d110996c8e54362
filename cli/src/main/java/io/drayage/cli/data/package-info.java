/** {@code drayage cargo}: the user's own data as cargoes, on disk. */
@NullMarked
package io.drayage.cli.data;

import org.jspecify.annotations.NullMarked;
