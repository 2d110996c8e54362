package io.drayage.cli.snapshot;

import io.drayage.cli.cluster.ClusterOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The folders that are made for a store: if what they were made for fails, they are deleted again,
 * unless there is an object in them. Not thread-safe.
 */
final class NewFolders implements AutoCloseable {
  /** Those that are missing, the store's first. */
  private final List<Path> missing = new ArrayList<>();

  private boolean kept;

  /** Before the store is opened, which makes its folder. */
  NewFolders(String store) {
    Path folder = ClusterOptions.folder(store);
    while (folder != null && !Files.exists(folder)) {
      missing.add(folder);
      folder = folder.getParent();
    }
  }

  /** What they were made for is done. */
  void keep() {
    kept = true;
  }

  /** After the store is closed. */
  @Override
  public void close() throws IOException {
    if (kept || missing.isEmpty() || !Files.exists(missing.get(0))) {
      return;
    }
    Path store = missing.get(0);
    Files.walkFileTree(store, new Empty(store));
    for (Path folder : missing) {
      deleteIfEmpty(folder);
    }
  }

  private static void deleteIfEmpty(Path folder) throws IOException {
    String[] left = folder.toFile().list();
    if (left != null && left.length == 0) {
      Files.delete(folder);
    }
  }

  /** Deletes what is no object: empty folders, and what the store keeps for itself. */
  private static final class Empty extends SimpleFileVisitor<Path> {
    private final Path store;

    Empty(Path store) {
      this.store = store;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (store.relativize(file).getName(0).toString().startsWith(".")) {
        Files.delete(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      deleteIfEmpty(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
