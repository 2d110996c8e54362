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
 * The new folders of a store. If the operation that needs them fails, they are deleted again,
 * unless they contain an object. Not thread-safe.
 */
final class NewFolders implements AutoCloseable {
  /** The missing folders, first that of the store. */
  private final List<Path> missing = new ArrayList<>();

  private boolean kept;

  /** Finds the missing folders. It must run before the store is opened, which creates them. */
  NewFolders(String store) {
    Path folder = ClusterOptions.folder(store);
    while (folder != null && !Files.exists(folder)) {
      missing.add(folder);
      folder = folder.getParent();
    }
  }

  /** Keeps the folders, because the operation has succeeded. */
  void keep() {
    kept = true;
  }

  /** Deletes the folders. The store must be closed. */
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

  /** Deletes empty folders and the store's own files, but no objects. */
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
