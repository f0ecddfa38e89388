// Answers the bytes stored under a path, as `http-baseline.mjs` does with Koa: net/http and pgx. Argument: database URL.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	config, err := pgxpool.ParseConfig(os.Args[1])
	if err != nil {
		panic(err)
	}
	config.MaxConns = 10
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		var body []byte
		row := pool.QueryRow(request.Context(), "SELECT body FROM baseline WHERE path = $1", request.RequestURI)
		if err := row.Scan(&body); err != nil {
			http.Error(response, err.Error(), http.StatusNotFound)
			return
		}
		response.Header().Set("Content-Type", "application/json")
		response.Header().Set("Content-Length", strconv.Itoa(len(body)))
		response.Write(body)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
