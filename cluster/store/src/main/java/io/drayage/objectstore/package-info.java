/**
 * Object stores for snapshots: a folder or an S3 bucket behind one small interface. Objects are
 * created once, as a whole, and never change.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.objectstore;

import org.jspecify.annotations.NullMarked;
