/**
 * Snapshots in the object store: what a commit changed, written from the frames as they arrived,
 * and the log of manifests that orders them. A full snapshot now and then bounds what has to be
 * read to start.
 */
@NullMarked
package io.drayage.snapshot;

import org.jspecify.annotations.NullMarked;
