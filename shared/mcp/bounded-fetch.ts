/** Returns a `fetch` that breaks off a response of more than `bytesMax` bytes, after decompression. */
export function boundedFetch(bytesMax: number): typeof fetch {
  return async (input, init) => {
    // A redirect would take the headers, which may hold a key, to another host.
    const response = await fetch(input, { ...init, redirect: "error" });
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.byteLength;
          if (bytes > bytesMax) controller.error(new Error("the response is too large"));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
}
