/**
 * Where the snapshots lie: a folder or an S3 bucket behind one small interface, whose objects are
 * created once, whole, and never changed.
 */
@NullMarked
package io.drayage.objectstore;

import org.jspecify.annotations.NullMarked;
