package io.drayage.examples;

import io.drayage.arrow.ArrowBatches;
import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.Text;

/** A cargo of Arrow vectors, and vectors of a cargo. docs/embedding.md shows the marked lines. */
public final class ArrowVectors {
  private ArrowVectors() {}

  /** Writes two rows as a cargo, reads them back, and prints them. */
  public static void main(String... args) throws Exception {
    Path file = Files.createTempFile("sales", ".cargo");
    try (BufferAllocator memory = new RootAllocator();
        VectorSchemaRoot root = sales(memory)) {
      // arrow begin
      ChangeCargo cargo =
          ChangeCargo.builder(UUID.randomUUID(), 0)
              .table(
                  "sales",
                  sales ->
                      root.getFieldVectors()
                          .forEach(v -> sales.insert(v.getName(), ArrowColumns.viewOf(v))))
              .build();
      CargoFile.write(cargo, file); // or ship it; the vectors may be closed once that has returned

      ChangeCargo read = CargoFile.read(file, 1L << 30);
      try (ArrowBatches batches =
          new ArrowBatches(read.tables().get(0).insertedColumns(), memory)) {
        while (batches.loadNextBatch()) {
          System.out.print(batches.getVectorSchemaRoot().contentToTSVString());
        }
      }
      // arrow end
    }
    Files.delete(file);
  }

  private static VectorSchemaRoot sales(BufferAllocator memory) {
    BigIntVector amounts = new BigIntVector("amount", memory);
    amounts.setSafe(0, 17);
    amounts.setNull(1);
    amounts.setValueCount(2);
    VarCharVector products = new VarCharVector("product", memory);
    products.setSafe(0, new Text("anvil"));
    products.setSafe(1, new Text("bolt"));
    products.setValueCount(2);
    return new VectorSchemaRoot(List.of(amounts, products));
  }
}
