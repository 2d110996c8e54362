package io.drayage.bench.peers.arrow;

import io.drayage.arrow.ArrowColumns;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.CompressedPut;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** One put: some rows of one part, in batches. {@link #write} is not thread-safe. */
final class ArrowPut {
  private final FlightConnection connection;
  private final PutHeader header;
  private final CargoPart part;
  private final ArrowSettings settings;
  private final @Nullable CompressionCodec compression;
  private final DrayageMetrics metrics;
  private final PutAnswer answer = new PutAnswer();

  ArrowPut(
      FlightConnection connection,
      PutHeader header,
      CargoPart part,
      ArrowSettings settings,
      @Nullable CompressionCodec compression,
      DrayageMetrics metrics) {
    this.connection = connection;
    this.header = header;
    this.part = part;
    this.settings = settings;
    this.compression = compression;
    this.metrics = metrics;
  }

  /** The answer of the server: the cargo's number, if this was its last put; then the end. */
  private static final class PutAnswer extends AsyncPutListener {
    private volatile @Nullable CompletableFuture<Long> number;

    @Override
    public void onNext(PutResult result) {
      CompletableFuture<Long> waiting = number;
      if (waiting != null) {
        waiting.complete(result.getApplicationMetadata().getLong(0));
      }
    }
  }

  /**
   * Writes all batches, and does not wait for the server.
   *
   * @param number completed if the server answers with one
   * @param kept the batches of an earlier put of the same rows; this put fills an empty list; null:
   *     no batches are kept
   */
  void write(
      BufferAllocator allocator,
      CompletableFuture<Long> number,
      @Nullable List<ArrowRecordBatch> kept)
      throws IOException {
    StageThreads.Period encoding = metrics.threads().begin(Stage.ENCODE);
    answer.number = number;
    List<Field> fields =
        part.columns().stream()
            .map(column -> ArrowColumns.field(column.name(), column.values()))
            .toList();
    try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator)) {
      write(connection.client().startPut(header.toDescriptor(), root, answer), root, kept);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      encoding.end();
    }
  }

  /** Writes all batches; a failure ends the put, so that the server does not wait for more. */
  private void write(
      ClientStreamListener put, VectorSchemaRoot root, @Nullable List<ArrowRecordBatch> kept)
      throws InterruptedException {
    boolean completed = false;
    try {
      put.setUseZeroCopy(settings.zeroCopy());
      if (compression != null) {
        CompressedPut.use(put, root, compression);
      }
      if (kept != null && !kept.isEmpty()) {
        writeKept(put, root, kept);
      } else {
        writeBatches(put, root, kept);
      }
      put.completed();
      completed = true;
    } finally {
      if (!completed) {
        if (kept != null) {
          kept.forEach(ArrowRecordBatch::close);
          kept.clear();
        }
        put.error(CallStatus.CANCELLED.withDescription("the put failed").toRuntimeException());
      }
    }
  }

  private void writeKept(
      ClientStreamListener put, VectorSchemaRoot root, List<ArrowRecordBatch> kept)
      throws InterruptedException {
    VectorLoader loader = new VectorLoader(root);
    for (ArrowRecordBatch batch : kept) {
      loader.load(batch);
      putNext(put, root);
    }
  }

  private void writeBatches(
      ClientStreamListener put, VectorSchemaRoot root, @Nullable List<ArrowRecordBatch> kept)
      throws InterruptedException {
    int rowsPerBatch = rowsPerBatch();
    for (long done = 0; done < header.rows(); ) {
      int rows = (int) Math.min(rowsPerBatch, header.rows() - done);
      for (int c = 0; c < part.columns().size(); c++) {
        // In separate buffers: those of the batch before may still be in flight.
        ArrowColumns.fill(
            root.getVector(c), part.columns().get(c).values(), header.firstRow() + done, rows);
      }
      root.setRowCount(rows);
      if (kept != null) {
        kept.add(new VectorUnloader(root).getRecordBatch());
      }
      putNext(put, root);
      done += rows;
    }
  }

  /** Waits for the connection without a CPU; Flight itself would spin. */
  private void putNext(ClientStreamListener put, VectorSchemaRoot root)
      throws InterruptedException {
    connection.awaitReady(() -> put.isReady() || answer.isCancelled());
    put.putNext();
    root.clear();
  }

  private int rowsPerBatch() {
    long rowBytes =
        part.columns().stream()
            .mapToLong(column -> Math.max(1, column.values().type().widthBytes()))
            .sum();
    long words = settings.batchBytes() / rowBytes / Long.SIZE;
    return (int) Math.max(1, words) * Long.SIZE;
  }

  /** Waits until the server has decoded all rows of this put. */
  void await() throws IOException {
    try {
      answer.getResult();
    } catch (FlightRuntimeException e) {
      throw new IOException("the put failed: " + e.getMessage(), e);
    }
  }
}
