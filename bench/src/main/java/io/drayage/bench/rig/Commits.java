package io.drayage.bench.rig;

import io.drayage.frame.Acknowledgement;
import io.drayage.worker.LoadMode;
import java.nio.file.Path;

/**
 * How whole commits are made: by nodes of a cluster, whose transactor has a ZooKeeper inside itself
 * and an object store in a folder. Every iteration begins with a new database.
 *
 * @param acknowledgement when the transactor answers
 * @param load where the worker gets the snapshot of its own commit from
 * @param folder for the object stores, on the disk that is to be measured; it exists
 */
public record Commits(Acknowledgement acknowledgement, LoadMode load, String folder) {
  /** The same in another folder. */
  Commits in(Path other) {
    return new Commits(acknowledgement, load, other.toString());
  }
}
