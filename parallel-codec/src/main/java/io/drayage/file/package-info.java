/** Cargoes on disk, in the format of the wire. */
@NullMarked
package io.drayage.file;

import org.jspecify.annotations.NullMarked;
