/** {@code drayage cargo}: cargoes on disk. */
@NullMarked
package io.drayage.bench.cargofile;

import org.jspecify.annotations.NullMarked;
